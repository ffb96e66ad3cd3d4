/** A picture as SVG: vector throughout, nothing loaded from anywhere, attributes only, so that every slide program takes it. */
import { lengthText, type Fill, type Paint, type Picture, type Shape } from './shapes';

export function writeSvg({ width, height, title, font, background, hatching, shapes }: Picture): string {
  const size = `width="${lengthText(width)}" height="${lengthText(height)}" viewBox="0 0 ${lengthText(width)} ${lengthText(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="${escape(font)}" font-size="12">`,
    `<title>${escape(title)}</title>`,
    '<defs>',
    `<pattern id="idle" width="7" height="7" patternUnits="userSpaceOnUse"><path d="M-1 1 1-1M0 7 7 0M6 8 8 6" stroke="${escape(hatching.idle)}"/></pattern>`,
    `<pattern id="rejected" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1-1 7 7M-1 5 1 7M5-1 7 1" stroke="${escape(hatching.rejected)}" stroke-width="2"/></pattern>`,
    `<pattern id="ignored" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 0h1v1H0zM2 2h1v1H2z" fill="${escape(hatching.ignored)}"/></pattern>`,
    `<pattern id="aborted" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 2.5H4" stroke="${escape(hatching.aborted)}"/></pattern>`,
    `<pattern id="gc" width="3" height="3" patternUnits="userSpaceOnUse"><path d="M.5 0V3" stroke="${escape(hatching.gc)}"/></pattern>`,
    `<pattern id="unwatched" width="10" height="10" patternUnits="userSpaceOnUse"><path d="M-1-1 11 11M-1 11 11-1" stroke="${escape(hatching.unwatched)}"/></pattern>`,
    `<pattern id="timedOut" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1-1 7 7M-1 7 7-1" stroke="${escape(hatching.timedOut)}"/></pattern>`,
    '</defs>',
    `<rect width="100%" height="100%" fill="${escape(background)}"/>`,
    ...shapes.map(writeShape),
    '</svg>\n',
  ].join('\n');
}

function writeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, radius } = shape;
      return `<rect ${paint(shape)} x="${lengthText(x)}" y="${lengthText(y)}" width="${lengthText(width)}" height="${lengthText(height)}"${radius ? ` rx="${lengthText(radius)}"` : ''}/>`;
    }
    case 'path': return `<path ${paint(shape)} d="${shape.d}"/>`;
    case 'text': {
      const { name, text, x, y, size, weight, anchor, color, halo } = shape;
      const around = halo ? ` stroke="${escape(halo)}" stroke-width="8" stroke-linejoin="round" paint-order="stroke"` : '';
      return `<text class="${name}" x="${lengthText(x)}" y="${lengthText(y)}" font-size="${lengthText(size)}"${weight ? ` font-weight="${weight}"` : ''} text-anchor="${anchor}" fill="${escape(color)}"${around}>${escape(text)}</text>`;
    }
    case 'image': throw new Error('pixels are no part of a vector picture');
  }
}

function paint({ name, fill, stroke, strokeWidth, dash, opacity }: Paint): string {
  return [
    `class="${name}" fill="${fillOf(fill)}"`,
    ...(opacity === undefined ? [] : [`fill-opacity="${opacity}"`]),
    ...(stroke === undefined ? [] : [`stroke="${escape(stroke)}" stroke-width="${lengthText(strokeWidth ?? 1)}"`]),
    ...(dash ? [`stroke-dasharray="${dash.join(' ')}"`] : []),
  ].join(' ');
}

const fillOf = (fill: Fill | undefined): string => (fill === undefined ? 'none' : typeof fill === 'string' ? escape(fill) : `url(#${fill.hatching})`);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Control signs and halves of signs, which XML cannot hold even escaped, are left out. */
const escape = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]/gu, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
