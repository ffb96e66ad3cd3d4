/** The tests of Promises/A+ (promises-aplus-tests, 872 of them) of V8's promises, and of bluebird's: with the agent as without. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NODE_MAJORS, findNodes } from '../../scripts/tools.mjs';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { runPlain, runWatched, type Ended, type How } from './observed';

const corpus = installCorpus();
const nodes = findNodes();

const suiteOf = (Promise: string): string => `
  ${Promise}
  require('promises-aplus-tests')({
    resolved: (value) => Promise.resolve(value),
    rejected: (reason) => Promise.reject(reason),
    deferred: () => { let resolve, reject; const promise = new Promise((ok, bad) => { resolve = ok; reject = bad; }); return { promise, resolve, reject }; },
  }, { timeout: 20_000, slow: Infinity, reporter: 'spec' }, (error) => { process.exitCode = error ? 1 : 0; });`;

/** Its last lines say how long it took; and whether bluebird finds a rejection that nobody handles yet is a matter of milliseconds. */
const untimed = ({ out, err, ...rest }: Ended): Ended => ({ ...rest, out: out.replace(/passing \(.*\)/, 'passing'), err: err.replace(/^Unhandled rejection .*\n/gm, '') });

const SUITES = [
  ...NODE_MAJORS.map((major) => ({ major, whose: 'of V8', suite: suiteOf('') })),
  ...NODE_MAJORS.slice(-1).map((major) => ({ major, whose: 'of bluebird', suite: suiteOf("const Promise = require('bluebird');") })),
];

// They wait most of their time, so all Nodes do so at once.
test.concurrent.for(SUITES)('Promises/A+ $whose on Node $major', async ({ major, suite }, context) => {
  const how: How = {
    node: needed(context, 'NODES', nodes.find((found) => found.major === major)).path,
    packages: join(needed(context, 'CORPUS', corpus), 'node_modules'),
    // Many of the tests reject promises that nobody handles.
    as: 'suite.cjs', nodeArgs: ['--unhandled-rejections=none', '--no-warnings'],
  };
  const [plain, v8, hooks] = await Promise.all([runPlain(suite, how), runWatched(suite, how), runWatched(suite, { ...how, backend: 'async_hooks' })]);
  expect(plain).toMatchObject({ code: 0, out: expect.stringContaining('872 passing') as unknown });
  expect(untimed(v8)).toEqual(untimed(plain));
  expect(untimed(hooks)).toEqual(untimed(plain));
});
