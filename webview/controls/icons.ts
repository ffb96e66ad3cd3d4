/** Signs on buttons, drawn: which signs a reader's fonts have nobody knows. */
const NS = 'http://www.w3.org/2000/svg';

/** Paths in a square of 16. */
const FILLED = {
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  play: 'M4.5 2.5v11l9-5.5z',
} as const;
const STROKED = {
  close: 'M4 4l8 8M12 4l-8 8',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  more: 'M8 3v10M3 8h10',
  less: 'M3 8h10',
  fit: 'M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3',
  outline: 'M2.5 4h11M5.5 8h8M5.5 12h8',
  turn: 'M5 13V3M2 6l3-3 3 3M11 3v10M8 10l3 3 3-3',
  search: 'M10.4 10.4L14 14M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9',
} as const;

export type Icon = keyof typeof FILLED | keyof typeof STROKED;

/** It says nothing: what its button does is said by the button. */
export function drawIcon(icon: Icon): SVGSVGElement {
  const svg = document.createElementNS(NS, 'svg');
  const path = document.createElementNS(NS, 'path');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.dataset.icon = icon;
  path.setAttribute('d', { ...FILLED, ...STROKED }[icon]);
  path.setAttribute('class', Object.hasOwn(FILLED, icon) ? 'filled' : 'stroked');
  svg.append(path);
  return svg;
}
