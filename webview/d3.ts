/** What a picture takes from D3, module by module: the `d3` bundle would weigh twice as much. What moves is in `d3-motion.ts`. */
export { scaleLinear, type ScaleLinear } from 'd3-scale';
export { pointer, select, type Selection } from 'd3-selection';
