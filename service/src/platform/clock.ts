/** The time in epoch milliseconds. Injected everywhere, so that a test can move to the next month. */
export type Clock = () => number;

/** The machine's clock. */
export const systemClock: Clock = () => Date.now();
