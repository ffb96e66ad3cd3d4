/** Finds what a folder of sources hands to `vscode.l10n.t`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** @returns the English sentences; throws where one is put together at run time, for that can have no translation */
export function sentencesOf(folder: string): string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.ts'))) {
    const source = ts.createSourceFile(name, readFileSync(join(folder, name), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === 'vscode.l10n.t') {
        const [sentence] = node.arguments;
        if (!ts.isStringLiteral(sentence)) throw new Error(`${name}: ${node.getText()} is no plain string`);
        found.push(sentence.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** The placeholders of a sentence, sorted. */
export const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{\d\}/g)].map(([text]) => text).sort();
