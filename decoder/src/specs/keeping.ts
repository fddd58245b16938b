/** Texts that repeat from VIN to VIN: trims, badges and bodies are a few thousand. */
const MOST_TEXTS = 10_000;

/** Returns a function of texts that keeps its results. */
export function keeping<Result>(make: (text: string) => Result): (text: string) => Result {
  const kept = new Map<string, Result>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const result = make(text);
    if (kept.size >= MOST_TEXTS) kept.clear();
    kept.set(text, result);
    return result;
  };
}
