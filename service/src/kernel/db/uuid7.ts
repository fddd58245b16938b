import { randomFillSync } from 'node:crypto';

/** Random bytes for some hundred ids: asking for them one by one costs more than everything else about an id. */
const pool = Buffer.alloc(4096);
const BYTES_AN_ID = 10;
let next = pool.length;

/** The beginning of the ids of one millisecond. */
let lastTime = { atMs: -1, text: '' };

/** Returns a new UUIDv7 (RFC 9562): ids sort by time and a range of ids is a range of time. */
export function newUuid7(atMs: number): string {
  if (next + BYTES_AN_ID > pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  if (lastTime.atMs !== atMs) {
    const hex = atMs.toString(16).padStart(12, '0');
    lastTime = { atMs, text: `${hex.slice(0, 8)}-${hex.slice(8)}-7` };
  }
  const random = pool.toString('hex', next, next + BYTES_AN_ID);
  // The variant's two bits are 10: the digit is 8, 9, a or b. It takes the place of the fourth one, from the second
  // byte.
  const variant = '89ab'.charAt(pool.readUInt8(next + 1) & 3);
  next += BYTES_AN_ID;
  return `${lastTime.text}${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** Returns the least UUIDv7 of a moment: ids made earlier are less, ids made later are greater. */
export function leastUuid7(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
