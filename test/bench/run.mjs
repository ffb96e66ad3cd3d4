// `npm run bench`: what being watched costs, what grouping costs, how an inspection holds up, how the diagram holds up, alone and beside others, and how fast it shows in VS Code. `npm run bench -- agent`
// runs one part of it; `--rounds 3` takes fewer rounds than 5, to see that it works.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from '../../scripts/install.mjs';
import { findCodeServer } from '../../scripts/tools.mjs';

/** Each takes the number of rounds and gives false where it missed a target. */
const PARTS = {
  agent: async (rounds) => (await import('./agent.mjs')).benchAgent(rounds),
  host: async (rounds) => (await import('./host.mjs')).benchHost(rounds),
  diagram: async () => (await import('./diagram.mjs')).benchDiagram(),
  scan: async (rounds) => (await import('./scan.mjs')).benchScan(rounds),
  peers: async () => (await import('./peers.mjs')).benchPeers(),
  vscode: benchVscode,
};

/** It has a process of its own: it starts a VS Code and a browser, and takes them down again. */
function benchVscode(rounds) {
  if (!findCodeServer()) {
    console.log('\nSkipped: vscode: no code-server found, run `node scripts/tools.mjs install`');
    return true;
  }
  return spawnSync(process.execPath, [join(root, 'test/bench/vscode.mjs'), '--rounds', String(rounds)], { stdio: 'inherit' }).status === 0;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const unknown = positionals.filter((part) => !(part in PARTS));
if (!Number.isInteger(rounds) || rounds < 1 || unknown.length > 0) {
  console.error(`usage: npm run bench -- [--rounds <n>] [${Object.keys(PARTS).join('|')}]…`);
  process.exit(2);
}
ensureInstalled();
ensureBuilt();
for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  if ((await PARTS[part](rounds)) === false) process.exitCode = 1;
}
