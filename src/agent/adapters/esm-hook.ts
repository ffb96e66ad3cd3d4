/** An ES module that adapters know: what is adapted of it, and the names the adapters need inside of it. */
export interface KnownModule {
  readonly path: string;
  /** Of its exports, and of what else is adapted. */
  readonly names: readonly string[];
  readonly scope: readonly string[];
}

/**
 * Extends a known ES module by one line that puts an adapted value in the place of each export: bindings of functions and
 * classes can be assigned from within. It stands alone, since on Node 20 its text runs on the thread for module hooks.
 * @param agent path of the agent's file @returns undefined where the module is none of those, or not as it is known
 */
export function extendModule(url: string, source: string, known: readonly KnownModule[], agent: string): string | undefined {
  const path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  const at = path.lastIndexOf('/node_modules/');
  const file = at < 0 ? undefined : known.find((one) => one.path === path.slice(at + 14));
  const declares = (name: string): boolean =>
    new RegExp(`^(?:export (?:default )?)?(?:(?:const|let|var) ${name} =|(?:async )?(?:function ?\\*? ?|class )${name}\\b)`, 'm').test(source);
  if (!file?.scope.every(declares)) return undefined;
  let text = source;
  const assignments: string[] = [];
  for (const name of file.names) {
    const local = (name === 'default' ? /^export default (?:(?:async )?(?:function ?\*? ?|class (?!extends\b)))?([\w$]+)/m.exec(source)?.[1] : undefined) ?? name;
    if (local === 'default' || !declares(local)) continue;
    // As wide as before, so that columns stay where they are.
    text = text.replace(new RegExp(`^((?:export )?)const (${local} = )`, 'm'), '$1let   $2');
    // Exported as a value, a name would not be followed to what it is assigned.
    if (name === 'default') text = text.replace(new RegExp(`^export default ${local};?$`, 'm'), `export { ${local} as default };`);
    assignments.push(`${local} = adapt(${JSON.stringify(file.path)}, ${JSON.stringify(name)}, ${local}, { ${file.scope.join(', ')} });`);
  }
  if (assignments.length === 0) return undefined;
  const required = `process.getBuiltinModule('node:module').createRequire(${JSON.stringify(agent)})(${JSON.stringify(agent)})`;
  return `${text}\n;{ let adapt; try { adapt = ${required}.adaptExport; } catch {} if (typeof adapt === 'function') { ${assignments.join(' ')} } }\n`;
}
