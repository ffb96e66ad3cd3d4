import { describe, expect, it } from 'vitest';
import { pageHtml, type PageOptions } from '../../../src/model/page';
import { parseViewState } from '../../../webview/view-state';

const options: PageOptions = { scriptUri: 'webview.js', styleUri: 'webview.css', nonce: 'MDEyMzQ1Njc4OWFiY2RlZg==', cspSource: "'self'", title: 'a.mjs', locale: 'ko' };

describe('the page', () => {
  it('may load its own script and styles, and connect only where it is told to', () => {
    const html = pageHtml(options);
    expect(html).toContain('script-src &#39;nonce-MDEyMzQ1Njc4OWFiY2RlZg==&#39;');
    expect(html).toContain('default-src &#39;none&#39;');
    expect(html).not.toContain('connect-src');
    expect(html).not.toContain('unsafe-inline');
    expect(pageHtml({ ...options, connect: "'self' ws:" })).toContain('connect-src &#39;self&#39; ws:');
  });

  it('holds names as text and never as markup', () => {
    const html = pageHtml({ ...options, title: '</title><script>alert(1)</script>', scriptUri: '"><img src=x>' });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<img');
  });

  it.each([{ nonce: 'short' }, { nonce: "x'; script-src *" + 'y'.repeat(20) }, { cspSource: "'self'; script-src *" }, { connect: "*; default-src *" }, { cspSource: '"><script>' }])('refuses values that would widen its policy: %o', (bad) => {
    expect(() => pageHtml({ ...options, ...bad })).toThrow();
  });

  it('speaks English where the locale is none', () => { expect(pageHtml({ ...options, locale: '"><b>' })).toContain('<html lang="en"'); });
});

describe('what a carrier kept of the view', () => {
  it('is taken as far as it makes sense', () => {
    const state = { align: 'wall', colorBy: 'chunk', sort: 'idle', firstLane: 'top', outline: true, bars: [900, 42, 61.5], run: 3, window: [1, 5], query: 'lane:1', pinned: [[1, 2]], hidden: [[4, 5]], opened: [7] };
    expect(parseViewState(state)).toEqual(state);
    expect(parseViewState({ colorBy: 'mood', sort: 5, firstLane: 'left', query: 7, bars: [900, -1, 1e9], pinned: [[1], [1, 0], 'x'], opened: [-1, 'a'] })).toEqual({});
    for (const rubbish of [undefined, null, 7, 'x', [], { align: 'up', window: [5, 1], run: '3' }, { window: [NaN, 2] }]) {
      expect(Object.values(parseViewState(rubbish)).filter((value) => value !== undefined)).toEqual([]);
    }
  });
});
