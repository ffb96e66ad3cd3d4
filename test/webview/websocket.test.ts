/** The page in a plain browser: frames over a WebSocket. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { pageHtml } from '../../src/model/page';
import { launchBrowser, skipWithoutBrowser } from './browser';
import { asChunks, FIGURE, place } from './experiment';
import { POLICY, styleSheet, webviewScript } from './harness';
import { ScriptedRun } from './scripted-run';

describe.skipIf(skipWithoutBrowser())('in a plain browser', () => {
  let browser: Browser;
  let server: Server;
  let page: Page;
  let socket: WebSocket;
  let address: string | undefined;
  const heard: unknown[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    const script = await webviewScript();
    const html = pageHtml({ scriptUri: 'webview.js', styleUri: 'webview.css', connect: "'self' ws:", title: 'a.mjs', locale: 'en', ...POLICY });
    server = createServer(({ url }, response) => {
      const [type, body] = url === '/webview.js' ? ['text/javascript', script] : url === '/webview.css' ? ['text/css', styleSheet()] : ['text/html', html];
      response.setHeader('content-type', `${type}; charset=utf-8`).end(body);
    });
    new WebSocketServer({ server }).on('connection', (opened, request) => {
      socket = opened;
      address = request.url;
      opened.on('message', (data, isBinary) => heard.push(isBinary ? data : JSON.parse(String(data))));
    });
    await new Promise<void>((ready) => { server.listen(0, '127.0.0.1', ready); });
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    heard.length = 0;
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=a%26b`);
    await expect.poll(() => heard).toEqual([{ type: 'ready' }]);
  });

  const notices = (): Promise<(string | null)[]> => page.locator('.notice').evaluateAll((all) => all.map((item) => item.getAttribute('data-code')));

  it('asks at the address of the page with its token, draws what comes and acknowledges it', async () => {
    expect(address).toBe('/live?token=a%26b');
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    for (const frame of run.finish().frames()) socket.send(frame);
    await expect.poll(() => page.locator('.frame .title').allTextContents()).toEqual(['Chunk 1', 'Chunk 2']);
    expect(heard).toContainEqual({ type: 'ack', seq: 1 });
  });

  it('says that the connection was lost, and leaves what was drawn', async () => {
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    for (const frame of run.frames()) socket.send(frame);
    await page.locator('.frame').first().waitFor({ state: 'attached' });
    socket.terminate();
    await expect.poll(notices).toEqual(['lost']);
    expect(await page.locator('.frame').count()).toBe(2);
  });

  it('takes it calmly when the viewer ends after the run', async () => {
    const run = new ScriptedRun();
    place(run, asChunks(FIGURE, 5), {});
    for (const frame of run.finish().frames()) socket.send(frame);
    await page.locator('.frame').first().waitFor({ state: 'attached' });
    socket.close();
    await expect.poll(notices).toEqual(['closed']);
  });

  it('answers text instead of a frame with a notice', async () => {
    socket.send('<b>hello</b>');
    await expect.poll(notices).toEqual(['bad-frame']);
    await expect.poll(() => heard).toEqual([{ type: 'ready' }, { type: 'ready' }]);
  });
});
