/**
 * VS Code marks a webview's body with the kind of its theme (`vscode-light`, `vscode-dark`, `vscode-high-contrast`, and
 * `vscode-high-contrast-light` beside the last). In a plain browser the same classes are set here from the system's wishes,
 * so that style sheet, controls and canvas know one language.
 */
const KINDS = ['vscode-light', 'vscode-dark', 'vscode-high-contrast', 'vscode-high-contrast-light'] as const;

/** Calls back whenever colours may have changed. */
export function watchTheme(onChange: () => void): void {
  const { body } = document;
  if (!KINDS.some((kind) => body.classList.contains(kind))) followSystem(body);
  new MutationObserver(onChange).observe(body, { attributes: true, attributeFilter: ['class'] });
  // VS Code writes the colours of a theme as properties of the root.
  new MutationObserver(onChange).observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}

function followSystem(body: HTMLElement): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(forced-colors: active), (prefers-contrast: more)');
  const apply = (): void => {
    body.classList.remove(...KINDS);
    if (!contrast.matches) body.classList.add(dark.matches ? 'vscode-dark' : 'vscode-light');
    else body.classList.add('vscode-high-contrast', ...(dark.matches ? [] : ['vscode-high-contrast-light']));
  };
  apply();
  dark.addEventListener('change', apply);
  contrast.addEventListener('change', apply);
}

/** Calls back when the page's zoom or its screen changes how many device pixels a CSS pixel has. */
export function watchPixelRatio(onChange: () => void): void {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
    onChange();
    watchPixelRatio(onChange);
  }, { once: true });
}

export const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
