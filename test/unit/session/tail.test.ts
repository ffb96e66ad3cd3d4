import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factFileName } from '../../../src/model/facts';
import { FactTail, MAX_BYTES_PER_POLL } from '../../../src/session/tail';
import { tempFolders } from './temp-folder';

const folder = tempFolders();

function follow(place: string) {
  const got = new Map<string, Buffer[]>();
  const tail = new FactTail(place, (name) => {
    const parts: Buffer[] = [];
    got.set(name, parts);
    return { push: (bytes) => { parts.push(Buffer.from(bytes)); } };
  });
  return { tail, names: () => [...got.keys()], text: (name: string) => Buffer.concat(got.get(name) ?? []).toString() };
}

describe('following fact files', () => {
  it('hands on what was appended since, once', () => {
    const place = folder();
    const { tail, text } = follow(place);
    writeFileSync(join(place, 'a.facts'), 'one ');
    expect(tail.poll()).toBe(4);
    expect(tail.poll()).toBe(0);
    appendFileSync(join(place, 'a.facts'), 'two');
    expect(tail.poll()).toBe(3);
    expect(text('a.facts')).toBe('one two');
  });

  it('takes up files as they come, and nothing else in the folder', () => {
    const place = folder();
    const { tail, names, text } = follow(place);
    tail.poll();
    writeFileSync(join(place, 'b.facts'), 'b');
    writeFileSync(join(place, 'run.json'), '{}');
    mkdirSync(join(place, 'c.facts'));
    tail.poll();
    writeFileSync(join(place, 'a.facts'), 'a');
    tail.poll();
    expect(names()).toEqual(['b.facts', 'a.facts']);
    expect(text('a.facts') + text('b.facts')).toBe('ab');
  });

  it('takes up those that it finds at once in the order in which their threads began, whatever they are called', () => {
    const place = folder();
    const { tail, names } = follow(place);
    const [late, early] = [factFileName(7, 0, 1795183154804.5), factFileName(20, 0, 1795183154804.25)];
    for (const name of [late, early]) writeFileSync(join(place, name), 'x');
    tail.poll();
    expect(names()).toEqual([early, late]);
  });

  it('reads a large file in bounded steps, and lets no other file wait for its end', () => {
    const place = folder();
    const { tail, text } = follow(place);
    const large = 'x'.repeat(3 * MAX_BYTES_PER_POLL + 5);
    writeFileSync(join(place, 'a.facts'), large);
    tail.poll();
    writeFileSync(join(place, 'b.facts'), 'small');
    const steps = [tail.poll(), tail.poll()];
    expect(Math.max(...steps)).toBeLessThanOrEqual(MAX_BYTES_PER_POLL);
    expect(text('b.facts')).toBe('small');
    while (tail.poll() > 0);
    expect(text('a.facts') === large).toBe(true);
  });

  it('finds nothing in a folder that has gone', () => {
    expect(follow(join(folder(), 'gone')).tail.poll()).toBe(0);
  });
});
