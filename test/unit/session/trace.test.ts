import { createWriteStream, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { beforeAll, describe, expect, it } from 'vitest';
import { toReport } from '../../../src/formats/report';
import { RecordedRun } from '../../../src/session/recorded-run';
import { writeTrace } from '../../../src/session/trace-writer';
import type { Report } from '../../../src/model/report';
import { bundled, startRun } from './traced';

const agent = bundled('agent.cjs');
const at = (name: string): string => join(agent.place, name);
const RECORD = JSON.stringify({ format: 'async-lanes-run', version: 1, command: ['node', 'a.mjs'], cwd: '/', startedAt: 1 });

let live: Report;
let folder: string;
let facts: Buffer;

async function zip(name: string, entries: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const file = new ZipFile();
  for (const [entry, content] of Object.entries(entries)) file.addBuffer(Buffer.from(content), entry, { compress: content.length > 0 });
  file.end();
  await pipeline(file.outputStream, createWriteStream(at(name)));
  return at(name);
}

beforeAll(async () => {
  const started = await startRun(agent, `
    import { Worker, isMainThread } from 'node:worker_threads';
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    async function task(ms) { await sleep(ms); }
    for (let i = 0; i < 2; i++) await Promise.all([10, 20, 30].map(task));
    if (isMainThread) { new Worker(new URL(import.meta.url)); process.exitCode = 6; }
  `);
  await started.run.finished;
  folder = started.folder;
  live = toReport(started.run);
  await writeTrace(at('run.lanes'), folder, started.run.record());
  const [first] = readdirSync(folder).filter((name) => name.endsWith('.facts'));
  facts = readFileSync(join(folder, first));
});

describe('a trace', () => {
  it('reopened shows what the live run showed', async () => {
    const run = await RecordedRun.open(at('run.lanes'));
    const report = toReport(run);
    expect(live.groups.map(({ kind, thread, taskCount }) => [kind, thread, taskCount])).toEqual([['chunk', 1, 6], ['chunk', 2, 6]]);
    expect(report).toEqual({ ...live, run: { ...live.run, elapsedMs: expect.closeTo(live.run.elapsedMs, 0) as number } });
    expect(run.info.title).toBe('script.mjs');
    expect(run.state()).toMatchObject({ phase: 'finished', exitCode: 6, complete: true });
  });

  it('a folder that was recorded by hand needs no record of its run', async () => {
    const run = await RecordedRun.open(folder);
    expect(toReport(run).groups).toEqual(live.groups);
    expect(run.info).toMatchObject({ title: 'script.mjs', node: process.version, cwd: agent.place });
    expect(run.state()).toMatchObject({ phase: 'finished', exitCode: 6 });
  });

  it.each<[string, () => Promise<string> | string, string]>([
    ['no zip', () => { writeFileSync(at('text.lanes'), 'hello'); return at('text.lanes'); }, 'is no trace of Async Lanes, or it is cut short'],
    ['empty', () => { writeFileSync(at('empty.lanes'), ''); return at('empty.lanes'); }, 'is no trace of Async Lanes, or it is cut short'],
    ['cut short', () => { writeFileSync(at('cut.lanes'), readFileSync(at('run.lanes')).subarray(0, -100)); return at('cut.lanes'); }, 'is no trace of Async Lanes, or it is cut short'],
    ["somebody else's zip", () => zip('else.lanes', { 'a.txt': 'a' }), 'is a zip file but no trace of Async Lanes'],
    ['with a damaged record', () => zip('record.lanes', { 'run.json': '{"format":' }), 'cannot be opened. Its run.json is damaged.'],
    ['from the future', () => zip('future.lanes', { 'run.json': RECORD.replace('"version":1', '"version":2') }), 'It was recorded by a newer version of Async Lanes.'],
    ['with facts that are none', () => zip('foreign.lanes', { 'run.json': RECORD, 'a.facts': 'x'.repeat(100) }), 'can be read:'],
    ['that would fill the memory', () => zip('bomb.lanes', { 'run.json': RECORD, 'a.facts': Buffer.alloc(8 << 20) }), 'would unpack to more than a trace can hold'],
    ['of too many parts', () => zip('many.lanes', Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}.facts`, '']))), 'would unpack to more than a trace can hold'],
    ['that is not there', () => at('gone.lanes'), 'it does not exist'],
  ])('%s is refused with a sentence that names it', async (_, make, sentence) => {
    const file = await make();
    const refused = await RecordedRun.open(file).then(() => 'opened', (error: Error) => `${error.name}: ${error.message}`);
    expect(refused).toContain('Refusal: ');
    expect(refused).toContain(sentence);
    expect(refused).toContain(file);
  });

  it('a killed thread of which only a part was written is shown up to there', async () => {
    const run = await RecordedRun.open(await zip('part.lanes', { 'run.json': RECORD, 'a.facts': facts.subarray(0, facts.length - 40) }));
    expect(run.state()).toMatchObject({ complete: false });
    expect(run.timeline.groupIds()).toHaveLength(1);
  });

  it('damage in one thread is told, and the others are shown', async () => {
    const run = await RecordedRun.open(await zip('one.lanes', { 'run.json': RECORD, 'a.facts': facts, 'b.facts': 'y'.repeat(64) }));
    expect(run.state().notices.map(({ code }) => code)).toEqual(['damaged-facts']);
    expect(run.state().complete).toBe(false);
    expect(run.timeline.groupIds()).toHaveLength(1);
  });

  it('bytes that were turned over on the disk are told', async () => {
    const bytes = readFileSync(await zip('intact.lanes', { 'run.json': RECORD, 'a.facts': facts }));
    const middle = bytes.indexOf('a.facts') + 100;
    bytes.fill(0x55, middle, middle + 200);
    writeFileSync(at('turned.lanes'), bytes);
    const outcome = await RecordedRun.open(at('turned.lanes')).then((run) => run.state().notices.map(({ text }) => text).join(), (error: Error) => error.message);
    expect(outcome).toMatch(/damaged|can be read/);
  });

  it('a disk that does not take it is told', async () => {
    await expect(writeTrace('/nowhere/run.lanes', folder, { ...JSON.parse(RECORD) as Parameters<typeof writeTrace>[2] })).rejects.toThrow('Could not write /nowhere/run.lanes: it does not exist.');
  });

  it('a folder without facts is refused', async () => {
    rmSync(at('void'), { recursive: true, force: true });
    await expect(RecordedRun.open(agent.dist)).rejects.toThrow(`Nothing was recorded into ${agent.dist}: it holds no .facts file.`);
  });
});
