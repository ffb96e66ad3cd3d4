import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { exitStatus, launch } from '../../../src/session/launch';

const run = async (code: string) => (await launch({ file: process.execPath, args: ['-e', code], cwd: '/', env: process.env })).ended;

describe('launching', () => {
  it("tells the process's own status", async () => {
    expect(exitStatus(await run('process.exit(42)'))).toBe(42);
    expect(exitStatus(await run(''))).toBe(0);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGABRT'] as const)('tells 128 and the number of %s', async (signal) => {
    const ending = await run(`process.kill(process.pid, '${signal}'); setTimeout(() => {}, 60_000)`);
    expect(ending).toEqual({ signal });
    expect(exitStatus(ending)).toBe(128 + constants.signals[signal]);
  });

  it('refuses a command that is not there, and leaves no listener behind', async () => {
    const before = process.listenerCount('SIGINT');
    await expect(launch({ file: '/nowhere/tool', args: [], cwd: '/', env: {} })).rejects.toThrow('Cannot start /nowhere/tool: it does not exist.');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('lets go of the signals once the process has ended', async () => {
    const before = process.listenerCount('SIGINT');
    await run('');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
