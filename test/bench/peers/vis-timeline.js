// vis-timeline: an item a task, a group a lane.
import { Timeline } from 'vis-timeline/standalone/esm/vis-timeline-graph2d.mjs';
import { offer } from './measured.js';

let timeline;
offer(({ lane, start, end, count, lanes, last }) => {
  const items = Array.from({ length: count }, (_, i) => ({ id: i, group: lane[i], start: start[i], end: end[i], content: '' }));
  const groups = Array.from({ length: lanes }, (_, i) => ({ id: i, content: String(i + 1) }));
  timeline = new Timeline(document.getElementById('app'), items, groups, { stack: false, showCurrentTime: false, start: 0, end: last, height: '100%', zoomMin: 0.001 });
  return new Promise((resolve) => { timeline.on('changed', resolve); });
}, (to) => timeline.setWindow(0, to, { animation: false }));
