/** The groups as they are shown, as one picture: headings, frames, bars, callout, bracket, and the arrow of time below. */
import { bandTop, CAP, HATCHED, VEIL } from '../bands/bands';
import { STRIP_HEIGHT, type LoadPicture } from '../bands/load-picture';
import type { Slice } from '../diagram/bars';
import { hatchingColors } from '../diagram/hatching';
import { isNumbered, rowTop, RIGHT, CALLOUT_LINE, type Geometry } from '../diagram/geometry';
import { dimension } from '../diagram/overlay';
import type { BarMark, OverlayModel } from '../diagram/overlay-model';
import type { Palette } from '../diagram/palette';
import type { GroupShading } from '../diagram/shading';
import type { GuideMark, SavingMark } from '../diagram/saving-model';
import { ticksOf } from '../diagram/ticks';
import type { Viewport } from '../diagram/viewport';
import type { GroupTasks } from '../store/group-tasks';
import type { TaskTable } from '../store/task-table';
import type { Band } from '../store/thread-activity';
import { barShapes } from './bar-shapes';
import { loadShapes } from './load-shapes';
import { lengthText, type Picture, type Shape, type TextShape } from './shapes';

export interface BandMark { readonly band: Band; readonly x0: number; readonly x1: number }

export interface FigureGroup {
  readonly heading: string;
  /** Its figures in one line. */
  readonly figures: string;
  readonly group: GroupTasks;
  readonly geometry: Geometry;
  readonly slice: Slice;
  readonly model: OverlayModel;
  readonly saving: SavingMark | undefined;
  readonly guide: GuideMark | undefined;
  readonly shading: GroupShading;
  readonly tasks: TaskTable;
  /** Stretches in which its thread could not go on, from pixel to pixel. */
  readonly bands: readonly BandMark[];
  /** What stands below the plot: its queue, its process's requests. */
  readonly strips: readonly LoadPicture[];
  /** What a lane is called: slot, rail, lane. */
  readonly laneWord: string;
  /** The bars as pixels, over the plot's width and height, where they are too many for shapes. */
  readonly pixels?: HTMLCanvasElement;
}

export interface FigureColors {
  readonly palette: Palette;
  readonly background: string;
  readonly foreground: string;
  readonly frame: string;
  readonly longest: string;
  readonly winner: string;
  readonly saved: string;
}

/** Reads the colours of the theme. */
export function figureColors(element: Element, palette: Palette): FigureColors {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(`--lanes-${name}`).trim();
  return {
    palette, background: color('background'), foreground: style.getPropertyValue('--vscode-editor-foreground').trim() || palette.label,
    frame: color('frame'), longest: color('longest'), winner: color('winner'), saved: color('saved'),
  };
}

export interface FigureInput {
  readonly title: string;
  readonly groups: readonly FigureGroup[];
  readonly viewport: Viewport;
  /** Up to where the picture is drawn, ms on the axis; Infinity: all there is. */
  readonly until: number;
  /** What the axis counts. */
  readonly axisTitle: string;
  readonly colors: FigureColors;
  /** Pixels of a bold text of 12 pixels. */
  readonly measure: (text: string) => number;
}

const MARGIN = 16;
const TITLE = 34;
const HEADING = 42;
const GAP = 14;
const AXIS = 48;
const TICK_DISTANCE = 90;

export function figureOf(input: FigureInput): Picture {
  const { title, groups, viewport, colors, colors: { palette } } = input;
  const shapes: Shape[] = [text('run-title', title, MARGIN, TITLE - 8, 15, colors.foreground, { weight: 600 })];
  let top = TITLE;
  for (const group of groups) {
    shapes.push(text('heading', group.heading, MARGIN, top + 16, 13, colors.foreground, { weight: 600 }));
    shapes.push(text('figures', group.figures, MARGIN, top + 33, 12, palette.label));
    top += HEADING;
    shapes.push(...plotShapes(input, group, top));
    top += group.geometry.height;
    for (const strip of group.strips) {
      shapes.push(...loadShapes(strip, palette, viewport.left, top));
      top += STRIP_HEIGHT;
    }
    top += GAP;
  }
  shapes.push(...axisShapes(input, top));
  return {
    width: viewport.right + RIGHT, height: top + AXIS, title, font: palette.font, background: colors.background, shapes,
    hatching: hatchingColors(palette),
  };
}

function plotShapes(input: FigureInput, { group, geometry, slice, model, saving, guide, bands, laneWord, pixels, shading, tasks }: FigureGroup, top: number): Shape[] {
  const { viewport, colors, measure } = input;
  const { palette } = colors;
  const bars: Shape[] = pixels ? [{ kind: 'image', source: pixels, x: 0, y: top, width: viewport.right + RIGHT, height: geometry.height }] : barShapes({ group, geometry, viewport, slice, palette, shading, tasks, measure }, top);
  return [
    ...gutterShapes(geometry, slice.lanes, viewport.left, laneWord, model.titleWord, palette.label, top), ...bars, ...bands.flatMap((mark) => bandShapes(mark, geometry, palette, top)),
    ...savingShapes(saving, colors, top), ...guideShapes(guide, colors, top), ...frameShapes(model, saving?.place === 'title', colors, viewport, top),
    ...model.bars.map((mark) => markShape(mark, colors, top)), ...calloutShapes(model, colors, top), ...playheadShapes(input, geometry, top),
  ];
}

function gutterShapes(geometry: Geometry, lanes: readonly number[], left: number, word: string, titleWord: string, color: string, top: number): Shape[] {
  const shapes: Shape[] = [];
  for (const lane of lanes) {
    if (!isNumbered(geometry, lane)) continue;
    shapes.push(text('lane', String(lane), left - 10, top + rowTop(geometry, lane) + geometry.rowHeight / 2 + 4, 11, color, { anchor: 'end' }));
  }
  shapes.push(text('lane-word', word, left - 10, top + geometry.frameBottom + 9, 11, color, { anchor: 'end' }));
  if (titleWord) shapes.push(text('title-word', titleWord, left - 4, top + geometry.frameTop - 5, 11, color, { anchor: 'end' }));
  return shapes;
}

function bandShapes({ band, x0, x1 }: BandMark, geometry: Geometry, palette: Palette, top: number): Shape[] {
  const y = top + bandTop(geometry);
  const [x, width] = [x0, x1 - x0];
  const cap = band === 'gc' ? CAP / 2 : CAP;
  const hatched = HATCHED[band];
  return [
    { kind: 'rect', name: band, fill: palette[band], x, y: y + CAP - cap, width, height: cap },
    { kind: 'rect', name: band, fill: hatched ? { hatching: hatched } : palette[band], opacity: VEIL[band], x, y: y + CAP, width, height: top + geometry.frameBottom - y - CAP },
  ];
}

/** Where a picture ends that is played again, or stands. */
function playheadShapes({ viewport, until, colors: { frame } }: FigureInput, { frameTop, frameBottom }: Geometry, top: number): Shape[] {
  const x = viewport.x(until);
  const isSeen = x >= viewport.left && x <= viewport.right;
  return isSeen ? [{ kind: 'path', name: 'playhead', stroke: frame, strokeWidth: 2, d: `M ${lengthText(x)} ${top + frameTop} V ${top + frameBottom}` }] : [];
}

function frameShapes({ frames }: OverlayModel, withoutDuration: boolean, { frame: stroke, foreground, palette }: FigureColors, viewport: Viewport, top: number): Shape[] {
  return frames.flatMap((frame): Shape[] => {
    // A frame that goes on beyond the picture ends with it.
    const x0 = Math.max(viewport.left, frame.x0);
    const x1 = Math.min(viewport.right, frame.x1);
    const shapes: Shape[] = [{ kind: 'rect', name: 'frame', stroke, dash: [5, 4], x: x0 + 0.5, y: top + frame.y0 + 0.5, width: Math.max(0, x1 - x0 - 2), height: frame.y1 - frame.y0 - 1, radius: 3 }];
    if (frame.title) shapes.push(text('title', frame.title, frame.titleX, top + frame.y0 - 6, 12, foreground, { weight: 600 }));
    if (frame.duration && !withoutDuration) shapes.push(text('duration', frame.duration, frame.x1 - 6, top + frame.y0 - 6, 12, palette.label, { anchor: 'end' }));
    return shapes;
  });
}

function markShape({ look, x, y, width, height }: BarMark, { longest, winner }: FigureColors, top: number): Shape {
  return { kind: 'rect', name: look, stroke: look === 'winner' ? winner : longest, strokeWidth: height < 7 ? 1.25 : 2, x, y: top + y, width, height, radius: height >= 12 ? 3 : 1 };
}

function calloutShapes({ callouts }: OverlayModel, { longest, background }: FigureColors, top: number): Shape[] {
  return callouts.flatMap((mark): Shape[] => [
    { kind: 'path', name: 'callout', stroke: longest, d: `${dimension(mark.x0 + 1, mark.x1 - 1, top + mark.y)} M ${mark.barX} ${top + mark.barY} V ${top + mark.y}` },
    ...mark.lines.map((line, i) => text('callout', line, mark.textX, top + mark.textY + 4 + i * CALLOUT_LINE, 12, longest, { anchor: mark.anchor, halo: background })),
  ]);
}

function savingShapes(saving: SavingMark | undefined, { saved, background }: FigureColors, top: number): Shape[] {
  if (!saving) return [];
  const { x0, x1, y0, y1, y, lines, place } = saving;
  const inside = place === 'inside';
  return [
    { kind: 'rect', name: 'saving', fill: saved, opacity: 0.1, x: x0, y: top + y0, width: Math.max(0, x1 - x0), height: y1 - y0 },
    { kind: 'path', name: 'saving', stroke: saved, strokeWidth: 1.5, d: `${dimension(x0 + 1, x1, top + y)} M ${x1} ${top + y0} V ${top + y1}` },
    ...lines.map((line, i) => text('saving', line, inside ? (x0 + x1) / 2 : x1, top + (inside ? y - 10 - (lines.length - 1 - i) * 22 : y0 - 6), inside ? (i === 1 ? 18 : 15) : 12, saved, { weight: 600, anchor: inside ? 'middle' : 'end', halo: background })),
  ];
}

function guideShapes(guide: GuideMark | undefined, { saved, palette }: FigureColors, top: number): Shape[] {
  return guide ? [
    { kind: 'path', name: 'guide', stroke: saved, strokeWidth: 1.5, dash: [2, 3], d: `M ${guide.x} ${top + guide.y0} V ${top + guide.y1}` },
    text('guide', guide.text, guide.x, top + guide.y0 - 6, 12, palette.label, { anchor: 'end' }),
  ] : [];
}

function axisShapes({ viewport, axisTitle, colors: { palette } }: FigureInput, top: number): Shape[] {
  const y = top + 8;
  const tip = viewport.right + 18;
  const { times, write } = ticksOf(viewport.start, viewport.end, Math.max(2, viewport.width / TICK_DISTANCE));
  return [
    { kind: 'path', name: 'axis', stroke: palette.label, strokeWidth: 1.5, d: `M ${viewport.left} ${y} H ${tip} M ${tip - 8} ${y - 4.5} L ${tip} ${y} L ${tip - 8} ${y + 4.5}` },
    ...times.flatMap((time): Shape[] => [
      { kind: 'path', name: 'tick', stroke: palette.label, d: `M ${lengthText(viewport.x(time))} ${y - 4} V ${y + 4}` },
      text('tick', write(time), viewport.x(time), y + 17, 11, palette.label, { anchor: 'middle' }),
    ]),
    text('axis-title', axisTitle, tip, y + 32, 11, palette.label, { anchor: 'end' }),
  ];
}

function text(name: string, words: string, x: number, y: number, size: number, color: string, more: Partial<Pick<TextShape, 'weight' | 'anchor' | 'halo'>> = {}): TextShape {
  return { kind: 'text', name, text: words, x, y, size, color, anchor: 'start', ...more };
}
