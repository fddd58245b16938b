/** Tells the time in epoch milliseconds. Injected everywhere, so that a test can turn the month. */
export type Clock = () => number;

/** The machine's clock. */
export const systemClock: Clock = () => Date.now();
