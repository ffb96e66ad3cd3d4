/** Reading a strip: what was at work and what waited where the pointer is, or where the arrow keys have gone. */
import type { CardFacts } from '../diagram/card-facts';
import type { Scene } from '../diagram/scene';
import type { Tooltip } from '../diagram/tooltip';
import { formatMs } from '../format';
import { rounded } from '../overview/overview-picture';
import type { LoadStrip } from './load-strip';

/** Of the strip's width, one press of a key. */
const STEP = 1 / 50;

export function attachReading(strip: LoadStrip, tooltip: Tooltip, scene: () => Scene): void {
  const { canvas } = strip;
  /** Pixel from the plot's left edge. */
  let at = 0;

  const read = (clientX: number, clientY: number): CardFacts | undefined => {
    const facts = factsAt(strip, at, scene());
    if (facts) tooltip.show(facts, clientX, clientY); else tooltip.hide();
    return facts;
  };
  canvas.addEventListener('pointermove', ({ clientX, clientY }) => {
    at = Math.floor(clientX - canvas.getBoundingClientRect().left - scene().viewport.left);
    read(clientX, clientY);
  });
  canvas.addEventListener('pointerleave', () => tooltip.hide());
  canvas.addEventListener('blur', () => tooltip.hide());
  canvas.addEventListener('keydown', (event) => {
    const { viewport } = scene();
    const last = (strip.picture?.loads.length ?? 1) - 1;
    const step = Math.max(1, Math.round(last * STEP));
    const to = new Map([['ArrowLeft', at - step], ['ArrowRight', at + step], ['Home', 0], ['End', last]]).get(event.key);
    if (to === undefined) return;
    event.preventDefault();
    // The same keys move the diagram elsewhere.
    event.stopPropagation();
    at = Math.max(0, Math.min(last, to));
    const box = canvas.getBoundingClientRect();
    const facts = read(box.left + viewport.left + at, box.top);
    canvas.setAttribute('aria-valuenow', String(viewport.time(viewport.left + at)));
    if (facts) canvas.setAttribute('aria-valuetext', `${facts.title}: ${facts.rows.map((row) => row.join(' ')).join(', ')}`);
  });
}

function factsAt({ picture }: LoadStrip, at: number, { viewport }: Scene): CardFacts | undefined {
  const load = picture?.loads.at(at);
  if (!picture || !load || at < 0) return undefined;
  const { words, limit } = picture;
  return {
    title: formatMs(viewport.time(viewport.left + at)), label: undefined,
    rows: [...(limit === undefined ? [] : [[words.working, rounded(load.working)] as const]), [words.queued, rounded(load.queued)]],
  };
}
