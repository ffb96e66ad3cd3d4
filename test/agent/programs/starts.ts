import type { Programs } from './program';

const TWO = 'Promise.all([1, 2].map(async (i) => { await null; return i; }))';
const HOOKS = `export async function resolve(s, c, n) { if (s === 'virtual:x') return { url: 'virtual:x', shortCircuit: true }; return n(s, c); }
export async function load(u, c, n) { if (u === 'virtual:x') return { format: 'module', source: 'export default 42', shortCircuit: true }; return n(u, c); }`;

/** Ways to start Node, and what one may ask of it there. */
export const STARTS: Programs = {
  'a line by -e': { source: '', command: () => ['-e', `${TWO}.then(console.log); console.log(process.argv.length, __filename, module.id, require.main === module)`] },
  'a line by -p': { source: '', command: () => ['-p', `process.argv.length + ' ' + module.paths.length`] },
  'a line by -p that is a promise': { isForV8Only: true, source: '', command: () => ['-p', TWO] },
  'a line of a module': { source: '', command: () => ['--input-type=module', '-e', `console.log(await ${TWO}, import.meta.url.length)`] },
  'a line that fails': { source: '', command: () => ['-e', `async function f() { await null; throw new Error('x'); } f()`] },
  'a script from standard input': { source: '', command: () => ['-'], stdin: `console.log(process.argv.length, __filename); ${TWO}.then(console.log);` },
  'a module from standard input': { source: '', command: () => ['--input-type=module'], stdin: `console.log(await ${TWO});` },
  'a REPL over a pipe': { isForV8Only: true, source: '', command: () => ['-i'], stdin: `1+1\nawait ${TWO}\nnew Error('x').stack\nthrow new Error('y')\nasync function f() { await null; return 5 }\nawait f()\n.exit\n` },
  'a syntax error': 'let x = ;',
  'a syntax check': { as: 'program.cjs', source: 'syntax error here', nodeArgs: ['-c'] },
  'a script that is not there': { source: '', command: () => ['nowhere.mjs'] },
  'tests': { as: 'program.test.mjs', nodeArgs: ['--test', '--test-reporter=tap'], source: `
    import test from 'node:test'; import assert from 'node:assert'; test('a', async () => { await ${TWO}; }); test('b', async () => { await null; assert.equal(1, 2); });
    test('c', { timeout: 20 }, async () => { await new Promise((r) => setTimeout(r, 200)); }); test('d', async (t) => { await t.test('e', async () => {}); setTimeout(() => { throw new Error('late'); }, 1); await new Promise((r) => setTimeout(r, 10)); });` },
  'a file of environment variables': { files: { '.env': 'FOO=bar\n' }, nodeArgs: ['--env-file=.env'], source: 'console.log(process.env.FOO);' },
  'hooks for modules, registered': { files: { 'hooks.mjs': HOOKS, 'register.mjs': `import { register } from 'node:module'; register('./hooks.mjs', import.meta.url);` }, nodeArgs: ['--no-warnings', '--import', './register.mjs'], source: `import x from 'virtual:x'; console.log(x, await ${TWO});` },
  'hooks for modules, as a loader': { files: { 'hooks.mjs': HOOKS }, nodeArgs: ['--no-warnings', '--experimental-loader', './hooks.mjs'], source: `import x from 'virtual:x'; console.log(x, await ${TWO});` },
  'a preload of the program\'s own': { files: { 'before.cjs': 'globalThis.before = [require.main === undefined, module.parent?.id];' }, nodeArgs: ['--require', './before.cjs'], source: 'console.log(globalThis.before, process.execArgv);' },
  'no code from strings, no addons, no __proto__': { nodeArgs: ['--disallow-code-generation-from-strings', '--no-addons', '--disable-proto=throw'], source: `try { eval('1'); } catch (e) { console.log(e.name); } console.log(await ${TWO});` },
  'warnings and exits traced, deprecations thrown': { nodeArgs: ['--trace-exit', '--trace-warnings', '--pending-deprecation', '--throw-deprecation'], source: `console.log(await ${TWO});` },
  'a profile and a heap snapshot': { nodeArgs: ['--cpu-prof'], source: `import v8 from 'node:v8'; import fs from 'node:fs'; await ${TWO}; console.log(v8.writeHeapSnapshot('h'), fs.statSync('h').size > 1000);` },
  'permissions, as Node 20 has them': { command: (file) => ['--experimental-permission', '--no-warnings', '--allow-fs-read=*', file], source: `
    console.log(process.permission.has('fs.write'), await ${TWO}); try { (await import('node:fs')).writeFileSync('x', 'y'); } catch (e) { console.log(e.code); }` },
  'permissions to read and nothing else': { since: 24, nodeArgs: ['--permission', '--allow-fs-read=*'], source: `
    console.log(process.permission.has('fs.write'), await ${TWO}); for (const f of [async () => (await import('node:fs')).writeFileSync('x', 'y'), async () => new (await import('node:worker_threads')).Worker('1', { eval: true }), async () => (await import('node:child_process')).spawnSync('true')]) await f().catch((e) => console.log(e.code));` },
  'a script of package.json by Node itself': { since: 22, source: '', files: { 'package.json': JSON.stringify({ scripts: { a: 'echo hello && node -p 1+1' } }) }, command: () => ['--run', 'a'] },
  'a snapshot, built and started': { source: '', on: 'linux', files: { 'entry.cjs': `Promise.resolve(5); globalThis.z = 7; require('v8').startupSnapshot.setDeserializeMainFunction(() => { console.log(z, process.argv.length); ${TWO}.then(console.log); });` },
    program: 'sh', command: (_, node) => ['-c', `"${node}" --snapshot-blob s.blob --build-snapshot entry.cjs; echo $?; "${node}" --snapshot-blob s.blob a b; echo $?`] },
  'a reader that goes away': { on: 'linux', source: `for (let i = 0; i < 200000; i++) process.stdout.write('line ' + i + '\\n');`, program: 'sh', command: (file, node) => ['-c', `"${node}" ${file} | head -n 2`] },
  'a folder that is gone already': { on: 'linux', source: `console.log(await ${TWO});`, program: 'sh', command: (file, node) => ['-c', `mkdir gone && cd gone && rmdir ../gone && exec "${node}" ${file}`] },
  'a program that is watched, until it is ended': { since: 22, on: 'linux', source: `console.log('runs'); await ${TWO};`, program: 'sh', command: (file, node) => ['-c', `: > out; "${node}" --watch ${file} > out & until grep -q Completed out; do sleep 0.05; done; kill $!; wait $!; echo $?; cat out`] },
};
