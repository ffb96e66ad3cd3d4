/** The scripts of the workspace's package.json files, and what runs them: the package manager that VS Code itself would take. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';

const MAX_MANIFESTS = 500;
const MAX_MANIFEST_BYTES = 1 << 20;

export interface NpmScript {
  /** Absolute path of the package.json. */
  readonly path: string;
  readonly script: string;
  /** As written there. */
  readonly command: string;
}

export type ScriptRunner = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'node';

/** Every script of every package.json of the workspace, those of a file together. */
export async function npmScripts(): Promise<NpmScript[]> {
  const manifests = await vscode.workspace.findFiles('**/package.json', '**/{node_modules,.git,bower_components}/**', MAX_MANIFESTS);
  const found = await Promise.all(manifests.filter(({ scheme }) => scheme === 'file').sort((a, b) => (a.fsPath < b.fsPath ? -1 : 1)).map(scriptsOf));
  return found.flat();
}

async function scriptsOf(manifest: vscode.Uri): Promise<NpmScript[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(manifest);
    if (bytes.length > MAX_MANIFEST_BYTES) return [];
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const scripts = typeof value === 'object' && value !== null && 'scripts' in value ? value.scripts : undefined;
    if (typeof scripts !== 'object' || scripts === null) return [];
    return Object.entries(scripts).flatMap(([script, command]) => (typeof command === 'string' ? [{ path: manifest.fsPath, script, command }] : []));
  } catch {
    return []; // It is just being written.
  }
}

/** As VS Code's own npm support chooses: its setting, else the lock file nearest to the package. */
export function runnerOf(manifest: string): ScriptRunner {
  const settings = vscode.workspace.getConfiguration('npm', vscode.Uri.file(manifest));
  for (const chosen of [settings.get<string>('scriptRunner'), settings.get<string>('packageManager')]) if (isRunner(chosen)) return chosen;
  const root = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(manifest))?.uri.fsPath ?? dirname(manifest);
  for (let folder = dirname(manifest); ; folder = dirname(folder)) {
    const found = LOCK_FILES.find(([file]) => existsSync(join(folder, file)));
    if (found) return found[1];
    if (folder === root || folder === dirname(folder)) return 'npm';
  }
}

const LOCK_FILES: readonly (readonly [string, ScriptRunner])[] = [
  ['bun.lockb', 'bun'], ['bun.lock', 'bun'], ['pnpm-lock.yaml', 'pnpm'], ['yarn.lock', 'yarn'], ['package-lock.json', 'npm'], ['npm-shrinkwrap.json', 'npm'],
];

const isRunner = (value: unknown): value is ScriptRunner => value === 'npm' || value === 'pnpm' || value === 'yarn' || value === 'bun' || value === 'node';

/** The words that run a script, its runner first. */
export const runnerCommand = (runner: ScriptRunner, script: string): string[] => [runner, runner === 'node' ? '--run' : 'run', script];

/** Where each entry of `scripts` stands. @returns 0-based lines by name */
export function scriptLines(document: vscode.TextDocument): Map<string, number> {
  const lines = new Map<string, number>();
  let depth = 0;
  let inScripts = false;
  for (let line = 0; line < document.lineCount; line++) {
    const { text } = document.lineAt(line);
    const key = /^\s*"((?:[^"\\]|\\.)*)"\s*:/.exec(text)?.[1];
    if (key === 'scripts' && depth === 1) inScripts = true;
    else if (key !== undefined && inScripts && depth === 2) lines.set(unquote(key), line);
    const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    depth += (bare.match(/[{[]/g)?.length ?? 0) - (bare.match(/[}\]]/g)?.length ?? 0);
    if (inScripts && depth < 2 && key !== 'scripts') break;
  }
  return lines;
}

function unquote(key: string): string {
  try {
    return String(JSON.parse(`"${key}"`));
  } catch {
    return key;
  }
}

/** `packages/a` of a package.json in there; the workspace folder's name at its top. */
export function packageLabel(manifest: string): string {
  const inner = vscode.workspace.asRelativePath(dirname(manifest), (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
  return inner === dirname(manifest) ? basename(inner) : inner;
}
