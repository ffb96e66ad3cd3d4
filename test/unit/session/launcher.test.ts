import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followRecord } from '../../../src/session/recorded-process';
import { readRunRecord } from '../../../src/session/run-record';
import { follow } from '../cli/command-line';
import { bundled } from './traced';

const { place, dist } = bundled('launcher.js', 'agent.cjs');

function start(code: string, ...input: string[]) {
  const folder = mkdtempSync(join(place, 'run-'));
  const running = follow(spawn(process.execPath, [join(dist, 'launcher.js'), folder, place, ...input, '--', process.execPath, '-e', code, 'word'], { stdio: ['ignore', 'pipe', 'pipe'] }));
  return { folder, ...running };
}

describe('the launcher', () => {
  it('runs the command in its own place, ends as it ends, and notes both', async () => {
    const { folder, ended } = start("console.log(process.argv[1], process.env.ASYNC_LANES_DIR); setTimeout(() => process.exit(9), 20)");
    expect(await ended).toMatchObject({ status: 9, stdout: `word ${folder}\n`, stderr: '' });
    const record = readRunRecord(folder);
    expect(record).toMatchObject({ cwd: place, exitCode: 9 });
    expect(record?.command.slice(0, 2)).toEqual([process.execPath, '-e']);
    expect(record?.endedAt).toBeGreaterThanOrEqual(record?.startedAt ?? Infinity);
    expect(readdirSync(folder).filter((name) => name.endsWith('.facts'))).toHaveLength(1);
  });

  it('gives the command a file as its input, or says why it cannot', async () => {
    const input = join(place, 'some input');
    writeFileSync(input, 'Ada');
    const { ended } = start("process.stdin.on('data', (data) => console.log('hello ' + data))", input);
    expect(await ended).toMatchObject({ status: 0, stdout: 'hello Ada\n' });
    expect(await start('', join(place, 'none')).ended).toMatchObject({ status: 2, stderr: expect.stringContaining('it does not exist') as unknown });
  });

  it('lets the command deal with Ctrl-C, and notes the signal that ends it', async () => {
    const { folder, child, shows, ended } = start("process.once('SIGINT', () => console.log('first')); console.log('there'); setInterval(() => {}, 1000)");
    await shows(/there/);
    // In a terminal the command gets it as well; without one the launcher hands it on.
    child.kill('SIGINT');
    await shows(/first/);
    child.kill('SIGINT');
    expect((await ended).status).toBe(130);
    expect(readRunRecord(folder)).toMatchObject({ signal: 'SIGINT' });
  });

  it('its record tells another process of pid and end', async () => {
    const { folder, shows, ended } = start("console.log(process.pid); process.stdin.resume(); setTimeout(() => process.exit(3), 200)");
    const process_ = followRecord(folder, ended);
    const [pid] = await shows(/\d+/);
    expect(await process_.ended).toEqual({ exitCode: 3, signal: undefined });
    expect(process_.pid).toBe(Number(pid));
  });

  it('that was killed itself leaves an end nobody saw', async () => {
    const { folder, child, shows, ended } = start("console.log(process.pid); setInterval(() => {}, 1000)");
    const process_ = followRecord(folder, ended);
    const [pid] = await shows(/\d+/);
    child.kill('SIGKILL');
    process.kill(Number(pid), 'SIGKILL');
    expect(await process_.ended).toEqual({});
  });

  it('does not stop the command because its folder has gone', async () => {
    const { folder, shows, ended } = start("console.log('there'); setTimeout(() => {}, 200)");
    await shows(/there/);
    rmSync(folder, { recursive: true });
    expect((await ended).status).toBe(0);
  });

  it('a record cut short or made up is no record', () => {
    const folder = mkdtempSync(join(place, 'run-'));
    expect(readRunRecord(folder)).toBeUndefined();
    for (const text of ['', '{', '[]', '{"format":"async-lanes-run","version":1}', '{"format":"else","version":1,"command":[],"cwd":"/","startedAt":1}']) {
      writeFileSync(join(folder, 'run.json'), text);
      expect(() => readRunRecord(folder)).toThrow('Its run.json is damaged.');
    }
    writeFileSync(join(folder, 'run.json'), '{"format":"async-lanes-run","version":99}');
    expect(() => readRunRecord(folder)).toThrow('recorded by a newer version of Async Lanes');
  });
});
