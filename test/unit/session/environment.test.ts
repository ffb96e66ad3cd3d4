import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tracedEnvironment, traceVariables } from '../../../src/session/environment';
import { tempFolders } from './temp-folder';

const folder = tempFolders();

describe('the environment of a traced process', () => {
  it('loads the agent before everything else, from any path, and keeps what the user had', () => {
    const home = join(folder(), 'with space, "quotes" and \\ 한글');
    mkdirSync(home);
    const [agent, own] = [join(home, 'agent.cjs'), join(home, 'own.cjs')];
    writeFileSync(agent, "globalThis.order = ['agent:' + process.env.ASYNC_LANES_DIR + ':' + process.env.ASYNC_LANES_BACKEND];");
    writeFileSync(own, "globalThis.order.push('own');");
    const before = { ...process.env, NODE_OPTIONS: `--require ${JSON.stringify(own)} --max-old-space-size=77` };
    const env = tracedEnvironment(before, { agent, folder: '/facts', backend: 'async_hooks' });
    const out = execFileSync(process.execPath, ['-p', 'JSON.stringify([order, process.env.NODE_OPTIONS])'], { env, encoding: 'utf8' });
    const [order, options] = JSON.parse(out) as [string[], string];
    expect(order).toEqual(['agent:/facts:async_hooks', 'own']);
    expect(options.endsWith(before.NODE_OPTIONS)).toBe(true);
  });

  it('loads the agent once where the environment is traced already', () => {
    const settings = { agent: '/a/agent.cjs', folder: '/facts' };
    const once = tracedEnvironment({ NODE_OPTIONS: '--no-warnings' }, settings);
    expect(tracedEnvironment(once, settings)).toEqual(once);
    expect(once['NODE_OPTIONS']).toBe('--require "/a/agent.cjs" --no-warnings');
  });

  it('takes the place of the agent of a recorded terminal it runs in', () => {
    const terminal = tracedEnvironment({ NODE_OPTIONS: '--no-warnings' }, { agent: '/stay here/agent-0123456789abcdef.cjs', folder: '/terminal' });
    const twice = { ...terminal, NODE_OPTIONS: `--require "/stay here/agent-0123456789abcdef.cjs" ${terminal['NODE_OPTIONS'] ?? ''} --require "/mine/agent-of-mine.cjs"` };
    expect(traceVariables(twice, { agent: '/a/agent.cjs', folder: '/run' })).toEqual({
      NODE_OPTIONS: '--require "/a/agent.cjs" --no-warnings --require "/mine/agent-of-mine.cjs"', ASYNC_LANES_DIR: '/run',
    });
  });

  it('says nothing of a backend where none was asked for', () => {
    expect(Object.keys(traceVariables({}, { agent: '/a.cjs', folder: '/f' }))).toEqual(['NODE_OPTIONS', 'ASYNC_LANES_DIR']);
  });
});
