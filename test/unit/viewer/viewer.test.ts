import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Values } from '../../../src/model/demos';
import { decodeFrame } from '../../../src/model/frames';
import type { FromView, Lesson, ToView } from '../../../src/model/protocol';
import { hasDisplay } from '../../../src/viewer/browser';
import { loadPage } from '../../../src/viewer/page';
import { Viewer } from '../../../src/viewer/server';
import { sampleRun } from '../formats/runs';

const dist = mkdtempSync(join(tmpdir(), 'async-lanes-viewer-'));
writeFileSync(join(dist, 'webview.js'), 'script();');
writeFileSync(join(dist, 'webview.css'), 'body {}');
afterAll(() => { rmSync(dist, { recursive: true, force: true }); });

let viewer: Viewer;
let stops = 0;
let asked: Values[] = [];
let lesson: Lesson | undefined;
beforeEach(async () => {
  stops = 0;
  asked = [];
  lesson = { type: 'lesson', locale: 'ko', demo: { name: 'fail-fast', about: '', parameters: {} }, values: {}, runs: [], isRunning: true };
  viewer = await Viewer.start({ run: sampleRun(), page: loadPage(dist), actions: { stop: () => { stops++; }, lesson: () => lesson, runDemo: (values) => { asked.push(values); } }, locale: 'ko' });
});
afterEach(() => viewer.dispose());

const at = (path: string): URL => new URL(path + new URL(viewer.url).search, viewer.url);

function get(url: URL, headers: Record<string, string> = {}, method = 'GET'): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => { body += text; }).on('end', () => { resolve({ status: response.statusCode, headers: response.headers, body }); });
    }).on('error', reject).end();
  });
}

/** Connects as the page does. @returns what it is sent, each delta acknowledged */
async function connect(url: URL, headers: Record<string, string> = { origin: new URL(viewer.url).origin }) {
  url.protocol = 'ws:';
  const socket = new WebSocket(url, { headers });
  const got: ToView[] = [];
  const say = (message: FromView): void => { socket.send(JSON.stringify(message)); };
  socket.on('message', (data) => {
    const bytes = new Uint8Array(data as Buffer);
    const message = decodeFrame(bytes.buffer);
    got.push(message);
    if (message.type === 'delta') say({ type: 'ack', seq: message.seq });
  });
  const closed = new Promise<number>((resolve) => { socket.once('close', resolve); });
  await new Promise((resolve, reject) => { socket.once('open', resolve).once('error', reject); });
  return { socket, got, say, closed };
}

describe('the viewer', () => {
  it('lives on 127.0.0.1 alone, behind a token of its own', async () => {
    expect(viewer.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
    const other = await Viewer.start({ run: sampleRun(), page: loadPage(dist), actions: {}, locale: 'en' });
    expect(new URL(other.url).search).not.toBe(new URL(viewer.url).search);
    await other.dispose();
    const outside = Object.values(networkInterfaces()).flat().find((address) => address?.family === 'IPv4' && !address.internal);
    if (outside) await expect(get(new URL(viewer.url.replace('127.0.0.1', outside.address)))).rejects.toThrow('ECONNREFUSED');
  });

  it('serves the page with its script and styles, under a policy that names them', async () => {
    const page = await get(at('/'));
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.body).toContain('<html lang="ko"');
    expect(page.body).toContain('<title>a.mjs</title>');
    const nonce = /nonce="([^"]{16,})"/.exec(page.body)?.[1];
    expect(page.body).toContain(`script-src &#39;nonce-${nonce ?? ''}&#39;`);
    const search = new URL(viewer.url).search;
    expect(page.body).toContain(`src="webview.js${search}"`);
    expect(page.body).toContain(`href="webview.css${search}"`);
    expect(await get(at('/webview.js'))).toMatchObject({ status: 200, body: 'script();', headers: { 'content-type': 'text/javascript; charset=utf-8' } });
    expect(await get(at('/webview.css'))).toMatchObject({ status: 200, body: 'body {}', headers: { 'content-type': 'text/css; charset=utf-8' } });
    expect((await get(at('/'))).body).not.toContain(nonce);
  });

  it.each([
    ['without the token', () => get(new URL('/', viewer.url))],
    ['with a token that is nearly right', () => get(new URL(viewer.url.slice(0, -1) + (viewer.url.endsWith('A') ? 'B' : 'A')))],
    ['by a name that somebody else has pointed here', () => get(at('/'), { host: `evil.example:${new URL(viewer.url).port}` })],
  ])('shows nothing to who comes %s', async (_, ask) => {
    expect(await ask()).toMatchObject({ status: 403, body: 'Not for you: the address needs its token.\n' });
  });

  it('has no other files, and nothing can be sent to it', async () => {
    for (const path of ['/../package.json', '/webview.js/', '/live', '/favicon.ico']) expect((await get(at(path))).status).toBe(404);
    expect((await get(at('/'), {}, 'POST')).status).toBe(404);
  });

  it('tells the lesson beside the run, anew when it changes, and hands on what is to run', async () => {
    const { got, say } = await connect(at('/live'));
    viewer.tellLesson();
    say({ type: 'ready' });
    await viewer.drained(10_000);
    expect(got.map(({ type }) => type)).toEqual(['lesson', 'hello', 'delta']);
    if (lesson) lesson = { ...lesson, isRunning: false };
    viewer.tellLesson();
    viewer.show(sampleRun());
    await expect.poll(() => got.map(({ type }) => type)).toEqual(['lesson', 'hello', 'delta', 'lesson', 'hello', 'delta']);
    expect(got[3]).toMatchObject({ isRunning: false });
    say({ type: 'runDemo', values: { count: 3 } });
    await expect.poll(() => asked).toEqual([{ count: 3 }]);
  });

  it('feeds several views at once, each from the beginning', async () => {
    lesson = undefined;
    const views = [await connect(at('/live')), await connect(at('/live'))];
    for (const { say } of views) say({ type: 'ready' });
    await viewer.drained(10_000);
    for (const { got } of views) {
      expect(got.map(({ type }) => type)).toEqual(['hello', 'delta']);
      expect(got[0]).toMatchObject({ run: { title: 'a.mjs' }, locale: 'ko', capabilities: { stop: true, runAgain: false, openSource: false, saveFile: false } });
      expect(got[1]).toMatchObject({ caughtUp: true, state: { phase: 'finished' } });
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['of another site', () => connect(at('/live'), { origin: 'http://evil.example' })],
    ['of no site', () => connect(at('/live'), {})],
    ['without the token', () => connect(new URL('/live', viewer.url))],
    ['by another name', () => connect(at('/live'), { origin: new URL(viewer.url).origin, host: 'localhost' })],
    ['elsewhere', () => connect(at('/'))],
  ])('takes no WebSocket %s', async (_, knock) => {
    await expect(knock()).rejects.toThrow('403');
  });

  it('does what the view asks for, where it can be done', async () => {
    const { say } = await connect(at('/live'));
    say({ type: 'runAgain' });
    say({ type: 'stop' });
    await expect.poll(() => stops).toBe(1);
  });

  it.each([['no JSON', '{'], ['no message', '{"type":"eval"}'], ['too much', `"${'x'.repeat(10_000)}"`]])('closes on a view that sends %s, and serves the others on', async (_, text) => {
    lesson = undefined;
    const [bad, good] = [await connect(at('/live')), await connect(at('/live'))];
    bad.socket.send(text);
    expect(await bad.closed).toBeGreaterThan(1000);
    good.say({ type: 'ready' });
    await expect.poll(() => good.got.length).toBe(2);
  });

  it('waits for a view to connect and to have all, but not for ever', async () => {
    lesson = undefined;
    await viewer.connected(1);
    const { got, say } = await connect(at('/live'));
    await viewer.connected(10_000);
    await viewer.drained(1);
    expect(got).toEqual([]);
    say({ type: 'ready' });
    await viewer.drained(10_000);
    expect(got).toHaveLength(2);
  });

  it('ends its views when it ends', async () => {
    const { closed } = await connect(at('/live'));
    await viewer.dispose();
    expect(await closed).toBe(1006);
    await expect(get(new URL(viewer.url))).rejects.toThrow('ECONNREFUSED');
  });

  it('says what to do where the page has not been built', () => {
    expect(() => loadPage(join(dist, 'gone'))).toThrow('Cannot show the viewer: webview.js cannot be read (it does not exist); npm run build makes it.');
  });

  it.runIf(process.platform === 'linux')('opens a browser only where there is a display', () => {
    expect([{}, { DISPLAY: '' }, { DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }].map(hasDisplay)).toEqual([false, false, true, true]);
  });
});
