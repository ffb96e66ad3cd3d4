/** What hands and clocks take from D3: made ready once the first picture stands. */
export { brushX, type BrushBehavior, type D3BrushEvent } from 'd3-brush';
export { easeCubicInOut } from 'd3-ease';
export { timer, type Timer } from 'd3-timer';
export { zoom, zoomIdentity, zoomTransform, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
