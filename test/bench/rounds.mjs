// Ratios that mean something on a machine whose speed varies: every round runs each variant once, in an order that turns
// from round to round, and compares within the round; the median of the rounds' ratios counts.

/**
 * @param rounds how many
 * @param variants by name, functions that run once and give times by label: `{ plain: async () => ({ chunks: 2010.4 }) }`
 * @returns the times of each round: `[{ plain: { chunks: 2010.4 }, agent: { … } }, …]`
 */
export async function interleaved(rounds, variants) {
  const names = Object.keys(variants);
  const table = [];
  for (let round = 0; round < rounds; round++) {
    const row = {};
    for (let i = 0; i < names.length; i++) {
      const name = names[(round + i) % names.length];
      const last = table.at(-1)?.[name];
      // What did not end the last time is not waited for again.
      row[name] = last && Object.values(last).includes(Infinity) ? last : await variants[name]();
    }
    table.push(row);
  }
  return table;
}

/** The ratios of one variant to another under a label, as `{ median, min, max }`. */
export function ratio(table, label, variant, to) {
  const ratios = table.map((row) => row[variant][label] / row[to][label]).sort((a, b) => a - b);
  return { median: median(ratios), min: ratios[0], max: ratios[ratios.length - 1] };
}

/** Of a sorted list. */
export function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Prints rows of cells under a head, columns aligned. */
export function printTable(head, rows) {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(row.map((cell, i) => cell.padEnd(widths[i])).join('  ').trimEnd());
  }
}
