import { expect, it } from 'vitest';
import { parseEnvFile, splitWords } from '../../../src/session/command-words';

it.each([
  ['', []],
  ['one  two', ['one', 'two']],
  ['--name "two words" \'and "these"\'', ['--name', 'two words', 'and "these"']],
  ['--at="a b"/c', ['--at=a b/c']],
  [String.raw`"a \"quoted\" word"`, ['a "quoted" word']],
])('splits %s as a shell would', (line, words) => { expect(splitWords(line)).toEqual(words); });

it('reads an env file as people write them', () => {
  expect(parseEnvFile('\uFEFF# ports\nPORT=80 # the usual\r\nexport NAME="two words"\nEMPTY=\nLINES="a\\nb"\nRAW=\'a\\nb\'\nno variable\n')).toEqual({
    PORT: '80', NAME: 'two words', EMPTY: '', LINES: 'a\nb', RAW: 'a\\nb',
  });
});
