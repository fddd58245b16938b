/** The result of a benchmark, as a ratio: comparable on other machines and on busy ones, unlike absolute figures. */
export interface Ratio {
  what: string;
  /** The yardstick, in the same run. */
  beside: string;
  ratio: number;
  /** The target; undefined: the ratio is only printed. */
  aim?: string;
  /** The users' question that this answers, with the answer in absolute figures: the document begins with these. */
  users?: { question: string; answer: string };
}

/** @example `timesAsLong(1.034)` is `1.03 times as long`. */
export function timesAsLong(ratio: number): string {
  return `${ratio.toFixed(2)} times as long`;
}

/** @example `thousands(13_512)` is `13,512`. */
export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A benchmark: prints its figures line by line, and gives the ratios that are kept. */
export interface Benchmark {
  name: string;
  title: string;
  run: (print: (line: string) => void) => Promise<Ratio[]>;
}
