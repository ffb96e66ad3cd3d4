// Lint holds what the compiler cannot: the borders between the rooms, and the habits of CONTRIBUTING.md.
import tseslint from 'typescript-eslint';

/** What files of a room may not import, and the sentence why. */
const border = (files, patterns, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: patterns, message }] }] },
});
const HOST = ['vscode', 'node:*', 'fs', 'path', 'os', 'child_process'];

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
  border(['src/model/**'], [...HOST, '../*'], 'model/ is the shared language: it imports nothing.'),
  border(['src/analysis/**'], [...HOST, '../!(model)/**'], 'analysis/ is pure: it knows model/ only.'),
  border(['src/timeline/**'], [...HOST, '../!(model|analysis)/**'], 'timeline/ is pure: it knows model/ and analysis/ only.'),
  border(['src/grouping/**'], [...HOST, '../!(model|analysis|timeline)/**'], 'grouping/ is pure: it knows model/, analysis/ and timeline/ only.'),
  border(['src/inspect/**'], [...HOST, '../!(model)/**'], 'inspect/ is pure: it knows model/ and a parser only.'),
  border(['src/agent/**'], ['vscode', '../!(model)/**'], 'The agent lives in other people\'s programs: it takes nothing along but model/.'),
  border(['src/scan/**'], ['vscode', '../!(model|inspect)/**'], 'scan/ knows model/ and inspect/ only.'),
  border(['webview/**'], [...HOST, '../src/!(model|analysis)/**'], 'The webview runs in a browser: model/ and analysis/ only.'),
  border(['src/session/**', 'src/formats/**', 'src/cli/**', 'src/viewer/**'], ['vscode', '../editor/**'], 'Only editor/ says vscode.'),
);
