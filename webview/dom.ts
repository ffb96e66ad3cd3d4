/** Building elements. Text is only ever set as text: names out of a user's program are never markup. */

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Sets text only where it differs: a live page must not lay itself out for nothing. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

export function setHidden(target: HTMLElement, hidden: boolean): void {
  if (target.hidden !== hidden) target.hidden = hidden;
}
