import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Command, ContextKey, NAMESPACE, RUN_TOOL, Setting, TERMINAL_PROFILE, TRACE_EXTENSION, View, ViewType } from '../../../src/editor/ids';
import { placeholders, sentencesOf } from './sentences';

const root = join(import.meta.dirname, '..', '..', '..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string; readonly enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac: string; readonly when: string }[];
    readonly terminal: { readonly profiles: readonly { readonly id: string }[] };
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly { readonly media: { readonly image: string }; readonly completionEvents?: readonly string[] }[] }[];
    readonly customEditors: readonly { readonly viewType: string; readonly priority: string; readonly selector: readonly { readonly filenamePattern: string }[] }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope: string }>> };
  };
}
const manifest = readJson('package.json') as Manifest;
const { commands, menus, configuration, views, viewsContainers, viewsWelcome, customEditors, keybindings, terminal, languageModelTools, walkthroughs } = manifest.contributes;
const sorted = (values: Iterable<string>): string[] => [...values].sort();

describe('package.json', () => {
  it('declares exactly the commands the code registers, under one category', () => {
    expect(sorted(commands.map(({ command }) => command))).toEqual(sorted(Object.values(Command)));
    expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(['Async Lanes']));
  });

  it('declares exactly the settings the code reads', () => {
    expect(sorted(Object.keys(configuration.properties))).toEqual(sorted(Object.values(Setting).map((key) => `${NAMESPACE}.${key}`)));
  });

  it('gives keys to its own commands only, and only behind a first key that VS Code leaves to others', () => {
    for (const { command, key, mac } of keybindings) {
      expect(Object.values(Command)).toContain(command);
      expect([key, mac].map((keys) => keys.split(' ')[0])).toEqual(['ctrl+k', 'cmd+k']);
    }
  });

  it('declares the terminal profile and the tool that the code provides', () => {
    expect(terminal.profiles.map(({ id }) => id)).toEqual([TERMINAL_PROFILE]);
    expect(languageModelTools.map(({ name }) => name)).toEqual([RUN_TOOL]);
  });

  it('has a walkthrough of four steps with their pictures', () => {
    const [{ steps }] = walkthroughs;
    expect(steps).toHaveLength(4);
    for (const { media, completionEvents } of steps) {
      expect(existsSync(join(root, media.image)), media.image).toBe(true);
      for (const event of completionEvents ?? []) expect(Object.values(Command).map((id) => `onCommand:${id}`)).toContain(event);
    }
  });

  it('puts only its own commands into menus', () => {
    const own = new Set<string>(Object.values(Command));
    for (const item of Object.values(menus).flat()) expect(own).toContain(item.command);
  });

  it('asks in its conditions for the context keys and views the code sets, and for all of them', () => {
    const conditions = [...Object.values(menus).flat().map(({ when }) => when), ...commands.map(({ enablement }) => enablement ?? ''), ...viewsWelcome.map(({ when }) => when ?? ''), ...keybindings.map(({ when }) => when)].join(' ');
    const asked = new Set(conditions.match(/asyncLanes\.\w+/g));
    expect(sorted(asked)).toEqual(sorted([...Object.values(ContextKey), ...Object.values(View), ViewType.run]));
  });

  it('wakes up for panels that are restored, and for documents with lenses', () => {
    expect(sorted(manifest.activationEvents)).toEqual(sorted([`onWebviewPanel:${ViewType.run}`, `onWebviewPanel:${ViewType.compare}`,
      ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'json'].map((language) => `onLanguage:${language}`)]));
  });

  it('has the views, in its container, and the editor that the code fills', () => {
    expect(viewsContainers['activitybar']).toHaveLength(1);
    expect(sorted(views[viewsContainers['activitybar'][0].id].map(({ id }) => id))).toEqual(sorted(Object.values(View)));
    expect(customEditors.map(({ viewType, selector, priority }) => [viewType, priority, ...selector.map(({ filenamePattern }) => filenamePattern)])).toEqual([
      [ViewType.trace, 'default', `*.${TRACE_EXTENSION}`],
      // JSON stays text unless somebody asks for lanes.
      [ViewType.traceEvents, 'option', '*.json', '*.json.gz'],
    ]);
    for (const { view } of viewsWelcome) expect(Object.values(View)).toContain(view);
    for (const { icon } of views[NAMESPACE]) expect(existsSync(join(root, icon)), icon).toBe(true);
  });

  it('lets no untrusted workspace choose what is executed', () => {
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain(`${NAMESPACE}.${Setting.nodePath}`);
    expect(configuration.properties[`${NAMESPACE}.${Setting.nodePath}`].scope).toBe('machine-overridable');
  });
});

describe('the words of package.json', () => {
  const english = readJson('package.nls.json') as Readonly<Record<string, string>>;
  const korean = readJson('package.nls.ko.json') as Readonly<Record<string, string>>;

  it('are all there, and no others', () => {
    const used = readFileSync(join(root, 'package.json'), 'utf8').match(/(?<=")%[\w.]+%(?=")/g) ?? [];
    expect(sorted(new Set(used.map((key) => key.slice(1, -1))))).toEqual(sorted(Object.keys(english)));
  });

  it('are there in Korean too', () => {
    expect(sorted(Object.keys(korean))).toEqual(sorted(Object.keys(english)));
    for (const [key, text] of Object.entries(korean)) expect(text, key).toMatch(/[가-힣]/);
  });
});

describe('the sentences the editor says', () => {
  const korean = readJson('l10n/bundle.l10n.ko.json') as Readonly<Record<string, string>>;
  const said = sentencesOf(join(root, 'src', 'editor'));

  it('are all translated, and nothing else is', () => {
    expect(said.length).toBeGreaterThan(20);
    expect(sorted(Object.keys(korean))).toEqual(sorted(new Set(said)));
  });

  it('keep their placeholders in Korean', () => {
    for (const [english, translated] of Object.entries(korean)) expect(placeholders(translated), english).toEqual(placeholders(english));
  });
});
