/** Where the page stands when it shows two runs: beside the table of what differs between them. */
import type { Comparison } from '../../src/model/comparison';
import { element } from '../dom';
import { ComparisonPanel } from './comparison-panel';

export class ComparisonHolder {
  private panel: ComparisonPanel | undefined;

  /** @param root the page stands in it @param onGroup a group is to be brought into sight */
  constructor(private readonly root: HTMLElement, private readonly onGroup: (group: number) => void) {}

  update(comparison: Comparison): void {
    if (this.panel) return this.panel.update(comparison);
    this.panel = new ComparisonPanel(comparison, this.onGroup);
    const beside = element('div', 'beside-comparison', ...this.root.childNodes);
    this.root.replaceChildren(element('div', 'with-comparison', this.panel.element, beside));
  }
}
