import type { Batch, ChargeGroup, FreeDecode, IdempotentCharge, PendingDecode, RequestResult } from './store.ts';

// The thread that commits usage loads this file: its imports are in memory twice.

/** A value of a stored decode. */
export type DecodeValue = string | number | null;

/** The number of values of a decode in a list: id, key, VIN, outcome, report, time, named as in the table `decodes`. */
export const VALUES_A_DECODE = 6;

/** A batch as it is sent between threads and processes: lists of plain values take half as long to copy as objects. */
export interface PackedBatch {
  groups: PackedGroup[];
  free: { subject: string; decodes: DecodeValue[] }[];
  earlierTries: number;
}

/** A group, its requests by their place. */
export interface PackedGroup extends Omit<ChargeGroup, 'requests'> {
  /** The number of decodes of each request. */
  sizes: number[];
  /** Records of the few requests that have a key. */
  idempotency: [place: number, charge: IdempotentCharge][];
  /** `VALUES_A_DECODE` for each decode. */
  decodes: DecodeValue[];
}

/** Two numbers for each request of a group: its granted decodes, -1 in a conflict, and the counter after them. */
export type PackedResults = number[];

/** Packs a batch. */
export function packed({ groups, free, earlierTries }: Batch): PackedBatch {
  return { groups: groups.map(packedGroup), free: free.map(packedFree), earlierTries };
}

function packedGroup({ requests, ...group }: ChargeGroup): PackedGroup {
  const whole: PackedGroup = { ...group, sizes: [], idempotency: [], decodes: [] };
  for (const [place, { decodes, idempotency }] of requests.entries()) {
    whole.sizes.push(decodes.length);
    if (idempotency !== undefined) whole.idempotency.push([place, idempotency]);
    for (const decode of decodes) addValues(whole.decodes, decode);
  }
  return whole;
}

function packedFree({ subject, ...decode }: FreeDecode): PackedBatch['free'][number] {
  const decodes: DecodeValue[] = [];
  addValues(decodes, decode);
  return { subject, decodes };
}

function addValues(values: DecodeValue[], { id, keyId, vin, outcome, report, createdAtMs }: PendingDecode): void {
  values.push(id, keyId === '' ? null : keyId, vin, outcome, report, createdAtMs);
}

/** Packs the results of a group. */
export function packedResults(results: readonly RequestResult[]): PackedResults {
  const numbers: PackedResults = [];
  for (const result of results) {
    if (result.kind === 'conflict') numbers.push(-1, 0);
    else numbers.push(result.granted, result.usedAfter);
  }
  return numbers;
}

/** Returns the results of a group. */
export function unpackedResults(numbers: PackedResults): RequestResult[] {
  const results: RequestResult[] = [];
  for (let at = 0; at < numbers.length; at += 2) {
    const [granted = 0, usedAfter = 0] = [numbers[at], numbers[at + 1]];
    results.push(granted < 0 ? { kind: 'conflict' } : { kind: 'counted', granted, usedAfter });
  }
  return results;
}
