// Apache ECharts: a custom series of rectangles, as its own profile example draws them.
import * as echarts from 'echarts';
import { offer } from './measured.js';

let chart;
offer(({ lane, start, end, count, lanes, last }) => {
  chart = echarts.init(document.getElementById('app'), null, { renderer: 'canvas' });
  const data = Array.from({ length: count }, (_, i) => [lane[i], start[i], end[i]]);
  chart.setOption({
    animation: false, grid: { left: 44, right: 26, top: 10, bottom: 40 },
    xAxis: { min: 0, max: last }, yAxis: { type: 'category', data: Array.from({ length: lanes }, (_, i) => String(i + 1)) },
    dataZoom: [{ type: 'inside', filterMode: 'weakFilter' }],
    series: [{
      type: 'custom', encode: { x: [1, 2], y: 0 }, data,
      renderItem(params, api) {
        const [x, y] = api.coord([api.value(1), api.value(0)]);
        const height = api.size([0, 1])[1] * 0.8;
        const shape = echarts.graphic.clipRectByRect({ x, y: y - height / 2, width: api.coord([api.value(2), 0])[0] - x, height }, params.coordSys);
        return shape && { type: 'rect', shape, style: { fill: '#3572b0' } };
      },
    }],
  });
}, (to) => chart.dispatchAction({ type: 'dataZoom', startValue: 0, endValue: to }));
