/** What Node and libraries keep on an object under a symbol that they do not hand out: found by the symbol's description. */
const { getOwnPropertyDescriptor, getOwnPropertySymbols } = Object;

/** @returns the object's own symbol of that description */
export const hiddenSymbol = (holder: object, description: string): symbol | undefined =>
  getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);

/** @returns what is kept under it, without a call of a getter */
export function hidden(holder: object, description: string): unknown {
  const key = hiddenSymbol(holder, description);
  return key && getOwnPropertyDescriptor(holder, key)?.value;
}

/** @returns what is kept under it, where that is an object */
export function hiddenObject(holder: object, description: string): object | undefined {
  const value = hidden(holder, description);
  return typeof value === 'object' && value !== null ? value : undefined;
}
