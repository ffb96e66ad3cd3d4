/** The tests of Promises/A+ (promises-aplus-tests, 872 of them) of V8's promises: with the agent as without. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { runPlain, runWatched, type Ended, type How } from './observed';

const corpus = installCorpus();
const nodes = findNodes();

const SUITE = `
  require('promises-aplus-tests')({
    resolved: (value) => Promise.resolve(value),
    rejected: (reason) => Promise.reject(reason),
    deferred: () => { let resolve, reject; const promise = new Promise((ok, bad) => { resolve = ok; reject = bad; }); return { promise, resolve, reject }; },
  }, { timeout: 20_000, slow: Infinity, reporter: 'spec' }, (error) => { process.exitCode = error ? 1 : 0; });`;

/** Its last lines say how long it took. */
const untimed = ({ out, ...rest }: Ended): Ended => ({ ...rest, out: out.replace(/passing \(.*\)/, 'passing') });

// They wait most of their time, so all Nodes do so at once.
test.concurrent.for(NODE_MAJORS)('Promises/A+ on Node %i', async (major, context) => {
  const how: How = {
    node: needed(context, 'NODES', nodes.find((found) => found.major === major)).path,
    packages: join(needed(context, 'CORPUS', corpus), 'node_modules'),
    // Many of the tests reject promises that nobody handles.
    as: 'suite.cjs', nodeArgs: ['--unhandled-rejections=none', '--no-warnings'],
  };
  const [plain, v8, hooks] = await Promise.all([runPlain(SUITE, how), runWatched(SUITE, how), runWatched(SUITE, { ...how, backend: 'async_hooks' })]);
  expect(plain).toMatchObject({ code: 0, out: expect.stringContaining('872 passing') as unknown });
  expect(untimed(v8)).toEqual(untimed(plain));
  expect(untimed(hooks)).toEqual(untimed(plain));
});
