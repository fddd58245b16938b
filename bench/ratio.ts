/** What a benchmark found, as a ratio: it holds on other machines and on busy ones, where absolute figures do not. */
export interface Ratio {
  what: string;
  /** What it was set beside, in the same run. */
  beside: string;
  ratio: number;
  /** What it should be; undefined: it is only watched. */
  aim?: string;
  /** What users ask that this answers, with the answer in absolute figures: the document begins with these. */
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
