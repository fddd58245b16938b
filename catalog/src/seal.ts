import { createHash } from 'node:crypto';

import { SEAL_MARK } from '@marque/decoder/format';

/** Appends the SHA-256 of a compiled catalog, so that a damaged file is noticed. */
export function sealed(catalog: Uint8Array): Uint8Array {
  return new Uint8Array(
    Buffer.concat([catalog, Buffer.from(SEAL_MARK), createHash('sha256').update(catalog).digest()]),
  );
}
