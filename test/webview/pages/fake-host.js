// Runs in the page before anything of ours: stands in for VS Code's side of the webview. The carrier is the seam these
// tests cut at; everything behind it is the shipped bundle. `window.host` is what tests talk to.
(() => {
  const scratch = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const key = 'fake-host-state';
  window.host = {
    /** All the page has sent. */
    sent: [],
    /** Hands a frame to the page as VS Code does. */
    receive(base64) {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      window.dispatchEvent(new MessageEvent('message', { data: bytes.buffer }));
    },
    /** Colour of one CSS pixel of a group's canvas, in plot coordinates. */
    pixel(group, x, y) {
      const canvas = document.querySelector(`[data-group="${group}"] canvas`);
      const ratio = canvas.width / canvas.getBoundingClientRect().width;
      const top = parseFloat(canvas.style.top) || 0;
      // Read from a copy: reading a canvas itself makes the browser move it off the graphics card.
      scratch.clearRect(0, 0, 1, 1);
      scratch.drawImage(canvas, Math.round(x * ratio), Math.round((y - top) * ratio), 1, 1, 0, 0, 1, 1);
      return [...scratch.getImageData(0, 0, 1, 1).data];
    },
    /** Puts on a theme: colours as properties of the root, its kind as a class of the body. */
    dress({ body, ...colors }) {
      const put = () => {
        for (const [name, value] of Object.entries(colors)) document.documentElement.style.setProperty(name, value);
        document.body.className = body;
      };
      if (document.body) put();
      else new MutationObserver((_, watcher) => { if (document.body) { watcher.disconnect(); put(); } }).observe(document, { childList: true, subtree: true });
    },
    color(name) { return getComputedStyle(document.body).getPropertyValue(`--lanes-${name}`).trim(); },
  };
  window.acquireVsCodeApi = () => ({
    postMessage(message) { window.host.sent.push(message); },
    getState() { return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined; },
    setState(state) { sessionStorage.setItem(key, JSON.stringify(state)); },
  });
})();
