// flame-chart-js: a chart a lane under one time grid.
import { FlameChartContainer, FlameChartPlugin, TimeGridPlugin } from 'flame-chart-js';
import { offer } from './measured.js';

let chart;
offer(({ lane, start, end, count, lanes, last }) => {
  const rows = Array.from({ length: lanes }, () => []);
  for (let i = 0; i < count; i++) rows[lane[i]].push({ name: String(i + 1), start: start[i], duration: end[i] - start[i], type: 'task' });
  const canvas = document.createElement('canvas');
  document.getElementById('app').append(canvas);
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  chart = new FlameChartContainer({ canvas, plugins: [new TimeGridPlugin(), ...rows.map((data, i) => new FlameChartPlugin({ data, colors: { task: '#3572b0' }, name: `lane${i}` }))] });
  chart.resize(innerWidth, innerHeight);
  chart.setZoom(0, last);
}, (to) => chart.setZoom(0, to));
