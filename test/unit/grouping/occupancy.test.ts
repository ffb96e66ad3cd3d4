import { describe, expect, test } from 'vitest';
import { Occupancy } from '../../../src/grouping/families/occupancy';

describe('how many calls are at work', () => {
  const begin = (occupancy: Occupancy, made: number): boolean => {
    const isNew = occupancy.comes(made);
    occupancy.enters();
    return isNew;
  };

  test('those begun in one go fill no places, however they end; those begun as others end do', () => {
    const burst = new Occupancy();
    for (let i = 0; i < 4; i++) begin(burst, 0);
    for (let i = 0; i < 4; i++) { burst.leaves(10 + i, false); burst.makesRoom(); }
    expect([burst.peak, burst.refills, burst.active]).toEqual([4, 0, 0]);
    const pool = new Occupancy();
    for (let i = 0; i < 2; i++) begin(pool, 0);
    for (let i = 0; i < 3; i++) { pool.leaves(10 + i, false); pool.makesRoom(); begin(pool, 10 + i); }
    expect([pool.peak, pool.refills, pool.active]).toEqual([2, 3, 2]);
  });

  test('a stretch begins where none is at work, and what ended in it made room only there', () => {
    const occupancy = new Occupancy();
    expect(begin(occupancy, 0)).toBe(true);
    expect(begin(occupancy, 1)).toBe(false);
    occupancy.leaves(5, false);
    expect(occupancy.makesRoom()).toBe(true);
    occupancy.leaves(6, false);
    expect(occupancy.makesRoom()).toBe(false);
    expect(begin(occupancy, 7)).toBe(true);
    expect(begin(occupancy, 8)).toBe(false);
    expect(occupancy.refills).toBe(0);
  });

  test('what made the next one itself does not count for the most at once; what was through at once makes no room', () => {
    const occupancy = new Occupancy();
    for (let i = 0; i < 3; i++) {
      if (i > 0) { occupancy.comes(i); occupancy.passOn(); } else occupancy.comes(i);
      occupancy.enters();
    }
    expect([occupancy.active, occupancy.working, occupancy.peak]).toEqual([3, 1, 1]);
    occupancy.comes(4);
    occupancy.goesThrough(4, 4.01);
    occupancy.comes(5);
    expect(occupancy.refills).toBe(0);
  });
});
