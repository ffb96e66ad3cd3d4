import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tracedEnvironment } from '../../../src/session/environment';
import { hasFacts, listeningProcesses } from '../../../src/session/listening';
import { follow } from '../cli/command-line';
import { bundled } from './traced';

const { place, dist } = bundled('agent.cjs');

it('finds a process that was started by hand under the agent, for as long as it runs', async () => {
  const folder = mkdtempSync(join(place, 'facts-'));
  expect(hasFacts(folder)).toBe(false);
  const env = tracedEnvironment(process.env, { agent: join(dist, 'agent.cjs'), folder });
  const { child, shows, ended } = follow(spawn(process.execPath, ['-e', "console.log('there'); process.stdin.resume()", 'a word'], { env, cwd: place, stdio: 'pipe' }));
  await shows(/there/);
  expect(hasFacts(folder)).toBe(true);
  expect(await listeningProcesses([join(place, 'none'), folder])).toEqual([
    { folder, pid: child.pid, command: expect.arrayContaining(['a word']) as unknown, cwd: place, startedAt: expect.any(Number) as unknown },
  ]);
  child.stdin?.end();
  await ended;
  expect(await listeningProcesses([folder])).toEqual([]);
});
