/** What the card beside a task, or beside an idle stretch, says. */
export interface CardFacts {
  readonly title: string;
  readonly label: string | undefined;
  /** Word and value, in the order they are shown. */
  readonly rows: readonly (readonly [string, string])[];
}
