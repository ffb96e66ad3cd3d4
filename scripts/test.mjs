// `npm test`: brings what is missing, builds, checks types and lint, runs every test that can run here, says of each skipped
// one why, and ends with a line that counts them. `npm test -- unit agent` runs only those projects of vitest.config.mts.
import { relative } from 'node:path';
import { ensureBuilt, ensureInstalled, npm, root } from './install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`The tests need Node 20.19 or newer; this is ${process.version}.`);
  process.exit(2);
}

process.chdir(root);
try {
  ensureInstalled();
  ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const clean = checksPass();
const counts = await runTests(process.argv.slice(2));
if (!clean) console.log('Types or lint: failed, see the top of this output.');
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = clean && counts.failed === 0 && counts.passed > 0 ? 0 : 1;

function checksPass() {
  try {
    console.log('Types and lint …');
    npm(['run', '--silent', 'check'], root);
    return true;
  } catch {
    return false;
  }
}

/** @returns how many tests passed, failed (with files and hooks that did) and were skipped */
async function runTests(projects) {
  const { startVitest } = await import('vitest/node');
  const vitest = await startVitest('test', [], { run: true, watch: false, ...(projects.length > 0 ? { project: projects } : {}) });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const scopes = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  const count = (state) => tests.filter((test) => test.result().state === state).length;
  // An error outside any test fails no test, but it must not pass for success either.
  const stray = scopes.filter((scope) => scope.errors().length > 0).length + vitest.state.getUnhandledErrors().length;
  await vitest.close();
  for (const test of tests) {
    const { state, note, errors } = test.result();
    if (state === 'passed' && test.diagnostic()?.retryCount > 0) {
      // What failed at first is said too: such a test is about to become one that fails.
      console.log(`Passed only when tried again: ${relative(root, test.module.moduleId)} > ${test.fullName}\n  ${errors?.[0]?.message ?? 'no error is known'}`);
    }
    if (state === 'skipped') console.log(`Skipped: ${relative(root, test.module.moduleId)} > ${test.fullName}: ${note ?? 'no reason given'}`);
  }
  return { passed: count('passed'), failed: count('failed') + stray, skipped: count('skipped') };
}
