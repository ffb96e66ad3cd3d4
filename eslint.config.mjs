// Lint holds what the compiler cannot: the borders between the rooms, and the habits of CONTRIBUTING.md.
import tseslint from 'typescript-eslint';

/** How deep a room's folders go. */
const DEPTH = 3;
const HOST = ['vscode', 'node:*', 'fs', 'path', 'os', 'child_process'];

const forbid = (files, patterns, message) => ({ files, rules: { 'no-restricted-imports': ['error', { patterns: patterns.map((pattern) => ({ ...pattern, message })) }] } });

/**
 * What the files of a room in src/ may not import, and the sentence why.
 * @param {string[]} modules that are no files of ours @param {string[]} others the other rooms that it knows
 */
const border = (room, modules, others, message) => Array.from({ length: DEPTH }, (_, depth) => forbid(
  [`src/${room}/${'*/'.repeat(depth)}*.ts`],
  [{ group: modules }, { regex: `^${'\\.\\./'.repeat(depth + 1)}(?!(${others.join('|')})/)` }],
  message,
));

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'test/corpus/**', 'test/agent/programs/compiled/**', 'media/demos/**', 'test-output/**'] },
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  ...border('model', HOST, [], 'model/ is the shared language: it imports nothing.'),
  ...border('analysis', HOST, ['model'], 'analysis/ is pure: it knows model/ only.'),
  ...border('timeline', HOST, ['model', 'analysis'], 'timeline/ is pure: it knows model/ and analysis/ only.'),
  ...border('grouping', HOST, ['model', 'analysis', 'timeline'], 'grouping/ is pure: it knows model/, analysis/ and timeline/ only.'),
  ...border('inspect', HOST, ['model'], 'inspect/ is pure: it knows model/ and a parser only.'),
  ...border('agent', ['vscode', 'util', 'node:util'], ['model'], 'The agent lives in other people\'s programs: it takes nothing along but model/, and of Node\'s util what node-util.ts names.'),
  ...border('scan', ['vscode'], ['model', 'inspect'], 'scan/ knows model/ and inspect/ only.'),
  forbid(['webview/**'], [{ group: HOST }, { regex: '/src/(?!(model|analysis)/)' }], 'The webview runs in a browser: model/ and analysis/ only.'),
  forbid(['src/session/**', 'src/formats/**', 'src/cli/**', 'src/viewer/**'], [{ group: ['vscode'] }, { regex: '/editor/' }], 'Only editor/ says vscode.'),
);
