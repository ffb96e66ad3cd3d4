/** The tools that people start their code with: with the agent around and in them they print, leave behind and end as without. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NODE_MAJORS, findBunFolder, findNodes, findProjectTools, onPath } from '../../scripts/tools.mjs';
import { installCorpus } from '../scoring/corpus';
import { needed } from '../support/needs';
import { agentVariables } from './observed';

const corpus = installCorpus();
const runners = findProjectTools();
const bun = findBunFolder();
const nodes = findNodes();
const ROOT = resolve(import.meta.dirname, '../..');
/** npm's own script, so that it runs on the Node asked for. */
const npm = onPath('npm');
const NPM = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : npm && realpathSync(npm);

const WORK = `const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const work = async (i) => { await pause(i % 3); return i; };
const chunks = async (n) => { let sum = 0; for (let i = 0; i < n; i += 5) for (const one of await Promise.all([0, 1, 2, 3, 4].map((k) => work(i + k)))) sum += one; return sum; };`;
const mistake = `const mistake = async () => { await pause(1); throw new Error('as it should be'); };`;
const tests = (head: string, ending: string): string => `${head}
${WORK} ${mistake}
test('adds up', async () => { const sum = await chunks(20); if (sum !== 190) throw new Error('sum ' + sum); });
test('sees a rejection', async () => { await Promise.all([work(1), mistake()]).then(() => { throw new Error('none'); }, () => undefined); });
${ending}`;
const FAILS = `test('fails', async () => { await mistake(); });`;

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'project', version: '1.0.0', private: true, scripts: { good: 'node good.mjs', bad: 'node bad.mjs', pregood: 'node -p 1+1' }, jest: { testMatch: ['**/*.jest.js'], cacheDirectory: './cache' } }),
  'good.mjs': `${WORK} console.log(await chunks(20));`,
  'bad.mjs': `${WORK} ${mistake} console.log(await chunks(20)); await mistake();`,
  'good.mts': `${WORK.replaceAll('(ms)', '(ms: number)').replaceAll('(i)', '(i: number)').replaceAll('(n)', '(n: number)')} const sum: number = await chunks(20); console.log(sum);`,
  'bad.mts': `interface A { readonly b: number } ${mistake.replace('pause(1)', 'null')} const a: A = { b: 1 }; console.log(a); await mistake();`,
  'lib/package.json': JSON.stringify({ name: 'greeter', version: '1.2.3', bin: { greet: 'greet.js' }, scripts: { postinstall: 'node greet.js installed' } }),
  'lib/greet.js': `#!/usr/bin/env node\n${WORK} chunks(20).then((sum) => { console.log(process.argv[2], sum); process.exitCode = process.argv[2] === 'bad' ? 4 : 0; });`,
  'good.vitest.js': tests(`import { test } from 'vitest';`, ''),
  'bad.vitest.js': tests(`import { test } from 'vitest';`, FAILS),
  'vitest.config.mjs': `export default { cacheDir: './cache', test: { include: ['*.vitest.js'], maxWorkers: 2 } };`,
  'good.jest.js': tests('', ''),
  'bad.jest.js': tests('', `${FAILS} test('has fake timers', () => { jest.useFakeTimers(); let n = 0; setTimeout(() => n++, 1000); jest.advanceTimersByTime(1000); expect(n).toBe(2); });`),
  'good.mocha.js': tests('const test = it;', ''),
  'bad.mocha.js': tests('const test = it;', FAILS),
};

interface Step { readonly args: readonly string[]; readonly code: number }
/** What is called one after the other in one folder: `node` and `bun` themselves, the rest by Node. */
const TOOLS: Readonly<Record<string, readonly Step[]>> = {
  npm: [
    { args: ['npm', 'run', 'good'], code: 0 }, { args: ['npm', 'run', 'bad'], code: 1 },
    { args: ['npm', 'install', './lib', '--offline', '--no-audit', '--no-fund', '--foreground-scripts'], code: 0 },
    { args: ['npm', 'exec', '--no', '--', 'greet', 'good'], code: 0 }, { args: ['npm', 'exec', '--no', '--', 'greet', 'bad'], code: 4 },
  ],
  npx: [{ args: ['npm', 'install', './lib', '--offline', '--no-audit', '--no-fund'], code: 0 }, { args: ['npx', '--no', 'greet', 'good'], code: 0 }, { args: ['npx', '--no', 'greet', 'bad'], code: 4 }],
  'node --run': [{ args: ['node', '--run', 'good'], code: 0 }, { args: ['node', '--run', 'bad'], code: 1 }],
  bun: [{ args: ['bun', 'run', 'good'], code: 0 }, { args: ['bun', 'run', 'bad'], code: 1 }],
  tsx: [{ args: ['tsx/dist/cli.mjs', 'good.mts'], code: 0 }, { args: ['tsx/dist/cli.mjs', 'bad.mts'], code: 1 }],
  vitest: [{ args: ['vitest/vitest.mjs', 'run', 'good'], code: 0 }, { args: ['vitest/vitest.mjs', 'run'], code: 1 }],
  jest: [{ args: ['jest/bin/jest.js', 'good'], code: 0 }, { args: ['jest/bin/jest.js', '--maxWorkers=2'], code: 1 }],
  mocha: [{ args: ['mocha/bin/mocha.js', 'good.mocha.js'], code: 0 }, { args: ['mocha/bin/mocha.js', 'good.mocha.js', 'bad.mocha.js', '--parallel'], code: 1 }],
};
/** Folders in whose `node_modules` they lie. */
const PACKAGES = { vitest: ROOT, tsx: corpus, jest: runners, mocha: runners };

type Backend = 'v8' | 'async_hooks' | undefined;
interface Told { readonly code: number | null; readonly lines: readonly string[]; readonly files: readonly string[]; readonly watched: boolean }

/** Runs a tool's steps. @returns of each its exit code, what it printed and the files that are there then */
async function runTool(tool: string, node: string, backend: Backend): Promise<readonly Told[]> {
  const dir = mkdtempSync(join(tmpdir(), 'async-lanes-tools-'));
  const facts = mkdtempSync(join(tmpdir(), 'async-lanes-facts-'));
  try {
    mkdirSync(join(dir, 'lib'));
    for (const [path, text] of Object.entries(FILES)) writeFileSync(join(dir, path), text);
    // npm takes what it does not know for something to clear away.
    const packages = (PACKAGES as Readonly<Record<string, string | undefined>>)[tool];
    if (packages) {
      mkdirSync(join(dir, 'node_modules'));
      symlinkSync(join(packages, 'node_modules', tool), join(dir, 'node_modules', tool), 'junction');
    }
    const told: Told[] = [];
    for (const { args: [script, ...args] } of TOOLS[tool]) {
      const before = readdirSync(facts).length;
      const [program, ...first] = commandOf(script, node, dir);
      const { code, text } = await run(program, [...first, ...args], dir, node, backend ? agentVariables(facts, backend) : {});
      told.push({ code, lines: linesOf(text, dir), files: filesIn(dir), watched: readdirSync(facts).length > before });
    }
    return told;
  } finally {
    for (const each of [dir, facts]) rmSync(each, { recursive: true, force: true });
  }
}

function commandOf(script: string, node: string, dir: string): string[] {
  switch (script) {
    case 'node': return [node];
    case 'bun': return [join(bun ?? '', 'bun')];
    case 'npm': return [node, NPM ?? ''];
    case 'npx': return [node, join(dirname(NPM ?? ''), 'npx-cli.js')];
    default: return [node, join(dir, 'node_modules', script)];
  }
}

async function run(program: string, args: readonly string[], dir: string, node: string, variables: Record<string, string>): Promise<{ readonly code: number | null; readonly text: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV$|NODE_OPTIONS$|npm_|TEST$|FORCE_COLOR$)/i.test(name));
  const env = { ...Object.fromEntries(own), NO_COLOR: '1', CI: 'true', PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`, npm_config_update_notifier: 'false', npm_config_cache: join(dir, 'npm-cache'), ...variables };
  const child = spawn(program, args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => { text += data.toString(); });
  return await new Promise((done, fail) => { child.on('error', fail).on('close', (code) => { done({ code, text }); }); });
}

/** Without places, times and what is only said on a slow machine; which lines there are, in order of the alphabet. */
function linesOf(text: string, dir: string): string[] {
  const lines = text.replaceAll(realpathSync(dir), '<dir>').replaceAll(dir, '<dir>').split('\n').map(untimed);
  return [...new Set(lines)].filter((line) => line !== '' && !line.startsWith('A worker process has failed to exit gracefully')).sort();
}

const untimed = (line: string): string => line
  .replace(/\(?\b[\d.]+ ?m?s\)?(?!\w)/g, '').replace(/^(?:\s*(?:Time:|Duration|Start at)).*/, '').replace(/^.*(?:debug-0\.log|npm warn).*$/i, '')
  .replace(/\(node:\d+\)/, '(node)').replace(/\n? +at .*/, '').trim();

const filesIn = (dir: string): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => !/^(?:npm-cache|cache)\b|node_modules[\\/]\.vite/.test(path)).sort();

/** The oldest, with both backends, and the newest: what tools do does not hang on those in between. */
const majors = [NODE_MAJORS[0], NODE_MAJORS[NODE_MAJORS.length - 1]];

describe.each(majors)('Node %i', (major) => {
  test.for(Object.keys(TOOLS))('%s does with the agent what it does without', { timeout: 180_000 }, async (tool, context) => {
    needed(context, 'CORPUS', corpus);
    needed(context, 'TOOLS', tool === 'bun' ? bun : runners);
    if (tool === 'node --run' && major < 22) context.skip('this Node has no --run yet');
    const node = needed(context, 'NODES', nodes.find((found) => found.major === major)).path;
    const backends = major === majors[0] ? (['v8', 'async_hooks'] as const) : (['v8'] as const);
    const [plain, ...watched] = await Promise.all([undefined, ...backends].map((backend) => runTool(tool, node, backend)));
    expect(plain.map(({ code }) => code), plain.flatMap(({ lines }) => lines).join('\n')).toEqual(TOOLS[tool].map(({ code }) => code));
    for (const told of watched) {
      expect(told.map(({ watched }) => watched)).toEqual(TOOLS[tool].map(() => true));
      expect(told.map((one) => ({ ...one, watched: false }))).toEqual(plain);
    }
  });
});
