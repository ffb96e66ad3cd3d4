/** Everything this page takes from D3, module by module: the `d3` bundle would weigh twice as much. */
export { brushX, type BrushBehavior, type D3BrushEvent } from 'd3-brush';
export { scaleLinear, type ScaleLinear } from 'd3-scale';
export { pointer, select, type Selection } from 'd3-selection';
export { zoom, zoomIdentity, zoomTransform, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
export { easeCubicInOut } from 'd3-ease';
export { timer, type Timer } from 'd3-timer';
