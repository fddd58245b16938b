import { v7 } from 'uuid';

/** A new decode id: UUIDv7, so that ids sort by time and a range of ids is a range of time. */
export function newDecodeId(atMs: number): string {
  return v7({ msecs: atMs });
}

/** The least UUIDv7 of a moment: ids made earlier are less, ids made later are greater. */
export function leastDecodeId(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
