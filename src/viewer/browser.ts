/** Opens an address in the user's browser, where there is a display to show it on. */
import open from 'open';

export function hasDisplay(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
}

/** @returns false where there is no browser to open: the address has to be told then, and is told anyway. */
export async function openBrowser(url: string): Promise<boolean> {
  try {
    const child = await open(url);
    return await new Promise((resolve) => {
      child.once('spawn', () => { resolve(true); });
      child.once('error', () => { resolve(false); });
      if (child.pid !== undefined) resolve(true);
    });
  } catch {
    return false;
  }
}
