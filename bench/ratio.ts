/** What a benchmark found, as a ratio: it holds on other machines and on busy ones, where absolute figures do not. */
export interface Ratio {
  what: string;
  /** What it was set beside, in the same run. */
  beside: string;
  ratio: number;
  /** What it should be; undefined: it is only watched. */
  aim?: string;
}

/** A benchmark: prints its figures line by line, and gives the ratios that are kept. */
export interface Benchmark {
  name: string;
  title: string;
  run: (print: (line: string) => void) => Promise<Ratio[]>;
}
