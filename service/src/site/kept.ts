/**
 * Returns a reader that reads once for all who ask at a time, and again once the answer is too old, in milliseconds.
 */
export function kept<T>(read: () => Promise<T>, goodForMs: (value: T) => number): () => Promise<T> {
  let last: { value: Promise<T>; untilTicks: number } | undefined;
  return () => {
    if (last !== undefined && performance.now() < last.untilTicks) return last.value;
    const next = { value: read(), untilTicks: Infinity };
    last = next;
    const forget = (forMs: number): void => void (next.untilTicks = performance.now() + forMs);
    next.value.then(
      (value) => forget(goodForMs(value)),
      () => forget(0),
    );
    return next.value;
  };
}
