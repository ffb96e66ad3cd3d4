/** Configurations of launch.json that start a Node program: as a command line, as VS Code's debugger would read them. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { parseEnvFile, splitWords } from '../session/command-words';
import { Refusal } from '../session/refusal';

export interface LaunchConfiguration extends vscode.DebugConfiguration {
  readonly folder: vscode.WorkspaceFolder;
}

export interface LaunchCommand {
  /** Missing: Node, wherever it is found. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Those of every folder's launch.json, and of the workspace file, that launch Node. */
export function launchConfigurations(): LaunchConfiguration[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const all = vscode.workspace.getConfiguration('launch', folder).get<unknown>('configurations');
    if (!Array.isArray(all)) return [];
    return all.filter(isNodeLaunch).map((configuration) => ({ ...configuration, folder }));
  });
}

function isNodeLaunch(value: unknown): value is vscode.DebugConfiguration {
  if (typeof value !== 'object' || value === null) return false;
  const { type, request, name } = value as Readonly<Record<string, unknown>>;
  return (type === 'node' || type === 'pwa-node') && request === 'launch' && typeof name === 'string';
}

/** @throws Refusal where it names no program, or its envFile cannot be read */
export function launchCommand(configuration: LaunchConfiguration): LaunchCommand {
  const { folder } = configuration;
  const fill = (text: string): string => substitute(text, folder.uri.fsPath);
  const cwd = resolve(folder.uri.fsPath, fill(text(configuration['cwd']) ?? folder.uri.fsPath));
  const program = text(configuration['program']);
  const executable = text(configuration['runtimeExecutable']);
  const runtimeArgs = words(configuration['runtimeArgs']).map(fill);
  if (program === undefined && runtimeArgs.length === 0) {
    throw new Refusal('no-program', vscode.l10n.t('{0} was not run: the configuration names neither a program nor runtimeArgs. Complete it in launch.json and try again.', configuration.name));
  }
  const env = { ...envFile(configuration, fill, cwd), ...strings(configuration['env'], fill) };
  return {
    program: executable === undefined || /^node(\.exe)?$/i.test(executable) ? undefined : fill(executable),
    args: [...runtimeArgs, ...(program === undefined ? [] : [resolve(cwd, fill(program))]), ...words(configuration['args']).map(fill)], cwd, env,
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** A list, or one string that a shell would split. */
function words(value: unknown): string[] {
  if (typeof value === 'string') return splitWords(value);
  return Array.isArray(value) ? value.map(String) : [];
}

function strings(value: unknown, fill: (text: string) => string): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([name, entry]) => (entry === null || entry === undefined ? [] : [[name, fill(String(entry))]])));
}

function envFile(configuration: LaunchConfiguration, fill: (text: string) => string, cwd: string): Record<string, string> {
  const file = text(configuration['envFile']);
  if (file === undefined) return {};
  const path = resolve(cwd, fill(file));
  try {
    return parseEnvFile(readFileSync(path, 'utf8'));
  } catch {
    throw new Refusal('no-env-file', vscode.l10n.t('{0} was not run: its envFile {1} cannot be read.', configuration.name, path));
  }
}

function substitute(value: string, folder: string): string {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  return value.replace(/\$\{([^}:]+)(?::([^}]*))?\}/g, (whole, name: string, argument?: string) => {
    switch (name) {
      case 'workspaceFolder': case 'workspaceRoot': return argument === undefined ? folder : vscode.workspace.workspaceFolders?.find((each) => each.name === argument)?.uri.fsPath ?? folder;
      case 'workspaceFolderBasename': return basename(folder);
      case 'userHome': return process.env['HOME'] ?? process.env['USERPROFILE'] ?? whole;
      case 'env': return process.env[argument ?? ''] ?? '';
      case 'config': return String(vscode.workspace.getConfiguration().get(argument ?? '') ?? '');
      case 'pathSeparator': case '/': return isAbsolute('/') && process.platform !== 'win32' ? '/' : '\\';
      case 'file': return file ?? whole;
      case 'relativeFile': return file === undefined ? whole : vscode.workspace.asRelativePath(file, false);
      case 'fileBasename': return file === undefined ? whole : basename(file);
      case 'fileBasenameNoExtension': return file === undefined ? whole : basename(file, extname(file));
      case 'fileDirname': return file === undefined ? whole : dirname(file);
      default: return whole;
    }
  });
}
