/** Moments as logs write them. */

/** Date (or none), clock, fraction after a point, comma or colon, zone. */
const FORM = /^(?:(\d{4})[-/](\d\d)[-/](\d\d)[T ]+)?(\d\d):(\d\d):(\d\d)(?:[.,:](\d{1,9}))?(?: ?(Z|[+-]\d\d:?\d\d))?$/;
const DAY = 86_400_000;

/**
 * @returns milliseconds: since the epoch where there is a date (taken as UTC where no zone is named: only differences are
 *   drawn), since midnight where there is none; undefined where it is no moment. Digits after the seconds are a fraction of a
 *   second, however many: `34:141` and Java's `34:14100` (SSSSS) are the same moment.
 */
export function parseLogTime(text: string): number | undefined {
  if (/^\d{13}$/.test(text)) return Number(text);
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hours, minutes, seconds, fraction = '0', zone = 'Z'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(`0.${fraction}`) * 1000;
  if (year === undefined) return clock;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (Number(month) < 1 || Number(month) > 12 || new Date(date).getUTCDate() !== Number(day)) return undefined;
  return date + clock - offsetOf(zone);
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const digits = zone.replace(/\D/g, '');
  return (zone.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}

/** Moments of a log that has no dates: each midnight that passes adds a day. */
export class DayCounter {
  private last = 0;
  private days = 0;

  /** @param ms as `parseLogTime` gave it */
  continuing(ms: number): number {
    if (ms >= DAY) return ms;
    if (ms < this.last - DAY / 2) this.days++;
    // A line that comes late out of the day before belongs to that day.
    const isLate = this.days > 0 && ms > this.last + DAY / 2;
    if (!isLate) this.last = ms;
    return ms + (this.days - (isLate ? 1 : 0)) * DAY;
  }
}
