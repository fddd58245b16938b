import { createHash } from 'node:crypto';

/** Before the hash, at the end of a catalog file. Readers of the file ignore what follows its sections. */
const MARK = Buffer.from('MARQUEsh');
const HASH_BYTES = 32;

/** Appends the SHA-256 of a compiled catalog, so that a damaged file is noticed. */
export function sealed(catalog: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([catalog, MARK, sha256(catalog)]));
}

/**
 * Returns false if the bytes of a sealed catalog were changed. One without a seal, of an older version, counts as
 * whole.
 */
export function isWhole(catalog: Uint8Array): boolean {
  const end = catalog.length - MARK.length - HASH_BYTES;
  if (end < 0 || !MARK.equals(catalog.subarray(end, end + MARK.length))) return true;
  return sha256(catalog.subarray(0, end)).equals(catalog.subarray(end + MARK.length));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
