import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundled, startRun, until } from './traced';

const agent = bundled('agent.cjs');

const CHUNK = 'const work = (ms) => new Promise((done) => setTimeout(done, ms));\nasync function task(ms) { await work(ms); }\nawait Promise.all([10, 20].map(task));\n';
/** Writes its pid to a file and cannot be asked to end. */
const stubborn = (file: string): string => `
  import { writeFileSync } from 'node:fs';
  process.on('SIGTERM', () => {});
  writeFileSync(${JSON.stringify(file)}, String(process.pid));
  setInterval(() => {}, 1000);
`;
/** What has ended but is not yet cleared away by its parent lives no more. */
const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.includes('Z');
};

describe('a live run', () => {
  it('shows tasks while the script still runs, and their end when they end', async () => {
    const { run, script } = await startRun(agent, `${CHUNK}\nprocess.stdin.resume(); setTimeout(() => process.exit(4), 400);`);
    expect(run.state().phase).toBe('starting');
    await until(run, () => run.timeline.groupIds().length > 0 && run.timeline.group(1, run.now())?.end !== undefined);
    expect(run.state()).toMatchObject({ phase: 'running', complete: true });
    expect(run.info).toMatchObject({ command: ['node', 'script.mjs'], node: process.version, title: 'script.mjs' });
    const before = run.now();
    await run.finished;
    expect(run.state()).toMatchObject({ phase: 'finished', exitCode: 4, complete: true, notices: [] });
    expect(run.now()).toBeGreaterThan(before);
    expect(run.now()).toBe(run.state().elapsedMs);
    expect(run.timeline.group(1, run.now())).toMatchObject({ kind: 'all', taskCount: 2, fulfilled: 2, site: { file: script, line: 3 } });
    run.dispose();
  });

  it('has read all there is when it says that it has finished, and says it to those who listen', async () => {
    const { run } = await startRun(agent, `${CHUNK.replace('[10, 20]', 'Array.from({ length: 5000 }, (_, i) => i % 7)')}`);
    let heard = 0;
    run.onDidChange(() => { heard++; });
    await run.finished;
    expect(run.timeline.group(1, run.now())).toMatchObject({ taskCount: 5000, pending: 0 });
    expect(heard).toBeGreaterThan(0);
    run.dispose();
  });

  it('tells a crash from an exit with the same status', async () => {
    const [crash, exit] = await Promise.all([startRun(agent, `${CHUNK}\nthrow new Error('on purpose');`), startRun(agent, `${CHUNK}\nprocess.exit(1);`)]);
    await Promise.all([crash.run.finished, exit.run.finished]);
    expect(crash.run.state()).toMatchObject({ phase: 'crashed', exitCode: 1, complete: true });
    expect(exit.run.state()).toMatchObject({ phase: 'finished', exitCode: 1, complete: true });
  });

  it('stopped by the user is neither killed nor crashed', async () => {
    const { run } = await startRun(agent, `${CHUNK}\nsetTimeout(() => {}, 60_000);`);
    await until(run, () => run.state().phase === 'running');
    await run.stop();
    await run.finished;
    expect(run.state()).toMatchObject({ phase: 'stopped', signal: 'SIGTERM', complete: false });
    expect(run.record()).toMatchObject({ stopped: true, signal: 'SIGTERM' });
  });

  it('Stop ends what the script has started too, and what will not be asked', async () => {
    const { run } = await startRun(agent, `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const folder = ${JSON.stringify(agent.place)};
      writeFileSync(folder + '/child.mjs', ${JSON.stringify(stubborn(join(agent.place, 'child.pid')))});
      spawn(process.execPath, [folder + '/child.mjs'], { stdio: 'ignore' });
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
    `);
    const pidFile = join(agent.place, 'child.pid');
    await expect.poll(() => existsSync(pidFile), { timeout: 10_000 }).toBe(true);
    await run.stop();
    await run.finished;
    expect(run.state()).toMatchObject({ phase: 'stopped', signal: 'SIGKILL' });
    const child = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('is told no more once it is disposed of', async () => {
    const { run } = await startRun(agent, CHUNK);
    let heard = 0;
    run.onDidChange(() => { heard++; });
    run.dispose();
    await run.finished;
    expect(heard).toBe(0);
    expect(run.timeline.groupIds()).toEqual([]);
  });
});
