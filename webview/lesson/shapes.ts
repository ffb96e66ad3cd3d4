/** Pieces of the lessons' own small pictures. */
const NAMESPACE = 'http://www.w3.org/2000/svg';

export function shape<K extends keyof SVGElementTagNameMap>(tag: K, className: string, attributes: Readonly<Record<string, number>> = {}, text = ''): SVGElementTagNameMap[K] {
  const made = document.createElementNS(NAMESPACE, tag);
  made.setAttribute('class', className);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

/** What idle time is filled with. Once a page: its name is the page's. */
export function hatching(): SVGElement {
  const pattern = shape('pattern', 'drawing-hatch', { width: 7, height: 7 });
  pattern.id = 'drawing-hatch';
  pattern.setAttribute('patternUnits', 'userSpaceOnUse');
  pattern.setAttribute('patternTransform', 'rotate(45)');
  const line = shape('path', '');
  line.setAttribute('d', 'M0 0V7');
  pattern.append(line);
  return pattern;
}
