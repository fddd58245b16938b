/** As much as an honest report needs ten times over. */
const MAX_BYTES = 65_536;

/** Deeper than any report; far from what would exhaust a stack. */
const MAX_DEPTH = 32;

/** What is wrong with a report that a client says it got; undefined: nothing. */
export function faultInActualReport(report: object | null | undefined): string | undefined {
  if (report === null || report === undefined) return undefined;
  // Depth first: writing a value of any depth as JSON needs a stack of that depth.
  if (isDeeperThan(report, MAX_DEPTH)) return `actualReport is nested deeper than ${MAX_DEPTH} levels.`;
  if (Buffer.byteLength(JSON.stringify(report)) > MAX_BYTES) {
    return `actualReport is larger than ${MAX_BYTES} bytes of JSON.`;
  }
  return undefined;
}

function isDeeperThan(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
