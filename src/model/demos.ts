/** Teaching demos: what can be turned in them, and the figures they end with. */

export interface NumberParameter {
  readonly is: number;
  readonly from: number;
  readonly to: number;
  /** Whole numbers where it is 1 or missing. */
  readonly step?: number;
  /** Name of another parameter this one cannot exceed. */
  readonly atMost?: string;
  readonly of?: undefined;
  readonly about: string;
}
export interface ChoiceParameter {
  readonly is: string;
  readonly of: readonly string[];
  readonly about: string;
}
export type Parameter = NumberParameter | ChoiceParameter;
/** By name, in the order in which the script names them. */
export type Parameters = Readonly<Record<string, Parameter>>;
export type Values = Readonly<Record<string, number | string>>;

/** A demo as its own script describes it. */
export interface Demo {
  /** Base name of its script, without the extension. */
  readonly name: string;
  readonly about: string;
  readonly parameters: Parameters;
}

/** What is wrong with the value of a parameter; `words` fill the sentence. */
export interface Problem {
  readonly code: 'choice' | 'number' | 'range' | 'whole' | 'atMost';
  readonly words: Readonly<Record<string, number | string>>;
}

/** One figure of a run of a demo. */
export interface Figure {
  readonly figure: string;
  /** In English; other languages go by the demo's and the figure's names. */
  readonly label: string;
  readonly unit: string;
  readonly measured: number;
  /** What the document says: a number, or a range as text. */
  readonly documented?: number | string;
  /** What theory says. */
  readonly expected?: number;
  /** Whether `expected` is the least that theory allows. */
  readonly atLeast?: boolean;
  /** Whether it is the most. */
  readonly atMost?: boolean;
}

/** Something a demo tells as a table: stages, settings, single runs. */
export interface DemoTable {
  readonly table: string;
  /** Which of several of its kind it is, in English; or empty. */
  readonly subject: string;
  /** In English, as the labels of its columns and the words in its cells; other languages go by their names. */
  readonly title: string;
  readonly columns: readonly { readonly column: string; readonly label: string }[];
  /** As many cells as columns, as the script prints them. */
  readonly rows: readonly (readonly string[])[];
}

/** What a run of a demo came to. */
export interface DemoRun {
  readonly values: Values;
  readonly rows: readonly Figure[];
  /** Why measured and documented figures differ, in English. */
  readonly why: string;
  readonly tables: readonly DemoTable[];
}
