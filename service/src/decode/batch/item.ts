import type { VehicleReport } from '@marque/decoder';

/** What became of one VIN of a batch. Only `decoded` is charged. */
export type BatchItem =
  /** The report is at full depth: cut it before it leaves. `id` is the stored decode's. */
  | { kind: 'decoded'; id: string; report: VehicleReport }
  | { kind: 'malformed'; message: string }
  /** It is looked up outside. `id` is the stored request's. */
  | { kind: 'pending'; id: string; retryAfterSeconds: number }
  /** The month was used up before this one. */
  | { kind: 'exhausted' };

/** An item before it is known how much of the batch the limit lets: a report is named by its id. */
export type PlannedItem = { kind: 'decoded'; id: string } | Extract<BatchItem, { kind: 'malformed' | 'pending' }>;

/**
 * A batch as it is stored with its charge, to be answered again. It is written before the charge is decided: which of
 * its decodes were granted follows from which of them are stored, and these are kept longer than it is.
 */
export function planOf(items: readonly BatchItem[]): string {
  return JSON.stringify(items.map((item) => (item.kind === 'decoded' ? { kind: item.kind, id: item.id } : item)));
}

/** Reads what `planOf` wrote. */
export function readPlan(text: string): PlannedItem[] {
  const plan: PlannedItem[] = JSON.parse(text);
  return plan;
}

/** The same items, with only the first `granted` decoded ones served. */
export function cutAfter(items: readonly BatchItem[], granted: number): BatchItem[] {
  let left = granted;
  return items.map((item) => {
    if (item.kind !== 'decoded') return item;
    left -= 1;
    return left >= 0 ? item : { kind: 'exhausted' };
  });
}

/** What was served of a plan. What is not stored was beyond the limit. */
export function servedOf(plan: readonly PlannedItem[], reports: ReadonlyMap<string, string>): BatchItem[] {
  return plan.map((item) => {
    if (item.kind !== 'decoded') return item;
    const text = reports.get(item.id);
    if (text === undefined) return { kind: 'exhausted' };
    const report: VehicleReport = JSON.parse(text);
    return { kind: 'decoded', id: item.id, report };
  });
}
