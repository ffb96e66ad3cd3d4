import { describe, expect, it } from 'vitest';
import { en } from '../../../webview/words/en';
import { ko } from '../../../webview/words/ko';
import { speakIn } from '../../../webview/words/speak';

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('the page’s words', () => {
  it('have the same keys in every language', () => { expect(Object.keys(ko).sort()).toEqual(Object.keys(en).sort()); });

  it.each(Object.keys(en) as (keyof typeof en)[])('take the same values in every language: %s', (key) => {
    expect(placeholders(ko[key])).toEqual(placeholders(en[key]));
    expect(ko[key].trim()).not.toBe('');
  });

  it('follow the locale, whatever its region, and fall back to English', () => {
    expect(speakIn('ko-KR')('bar.stop')).toBe('중지');
    expect(speakIn('en')('frame.chunk', { number: 3 })).toBe('Chunk 3');
    expect(speakIn('fr')('bar.stop')).toBe('Stop');
    expect(speakIn('constructor')('bar.stop')).toBe('Stop');
  });

  it('put a value in as it is, even one that looks like a placeholder', () => {
    expect(speakIn('en')('empty.starting', { title: '{title} $& <b>' })).toBe('Starting {title} $& <b>…');
  });
});
