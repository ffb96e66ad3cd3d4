// An extension beside the one under test, in the same host: how long that host was held up, how long it took to load the other's
// code, what the tool for language models answers, and a workspace that lies on no disk. What it finds out goes into files of the workspace.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';

const FILES = { '/ws/a.mjs': 'await Promise.all([1, 2].map(async (x) => x));\n' };

export function activate(context) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const tell = (name, text) => writeFileSync(join(vscode.workspace.workspaceFolders[0].uri.fsPath, name), text);
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider('memory', memory(), { isReadonly: true }),
    vscode.commands.registerCommand('probe.watchHost', () => { delay.reset(); delay.enable(); tell('watching.txt', 'since now'); }),
    vscode.commands.registerCommand('probe.tellHost', () => { tell('held-up.txt', String(delay.max / 1e6)); }),
    vscode.commands.registerCommand('probe.tellLoading', () => {
      const at = (mark) => globalThis.MonacoPerformanceMarks.getMarks().findLast(({ name }) => name === `code/extHost/${mark}LoadExtensionCode/async-lanes.async-lanes`).startTime;
      tell('loading.txt', String(at('did') - at('will')));
    }),
    vscode.commands.registerCommand('probe.askTool', async () => {
      const { content } = await vscode.lm.invokeTool('asyncLanes_visualizeRun', { input: { path: 'figure.mjs' }, toolInvocationToken: undefined });
      tell('answer.md', content.map(({ value }) => value).join(''));
    }),
  );
}

function memory() {
  const gone = (uri) => vscode.FileSystemError.FileNotFound(uri);
  return {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => new vscode.Disposable(() => { /* Nothing ever changes. */ }),
    stat: (uri) => {
      if (FILES[uri.path]) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: FILES[uri.path].length };
      if (uri.path === '/ws' || uri.path === '/') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      throw gone(uri);
    },
    readDirectory: (uri) => (uri.path === '/ws' ? [['a.mjs', vscode.FileType.File]] : []),
    readFile: (uri) => { if (FILES[uri.path]) return Buffer.from(FILES[uri.path]); throw gone(uri); },
    createDirectory: gone, writeFile: gone, delete: gone, rename: gone,
  };
}
