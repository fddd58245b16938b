import { CatalogFormatError, Container } from './container.ts';

/** Before the SHA-256 of all bytes before it, at the end of a catalog file. Readers of sections ignore what follows. */
export const SEAL_MARK = 'MARQUEsh';

const HASH_BYTES = 32;

/**
 * Refuses a catalog whose bytes are not those that it was built with. One without a seal has lost its last bytes, or
 * others follow them.
 *
 * @throws CatalogFormatError
 */
export function refuseChanged(catalog: Uint8Array, sha256: (bytes: Uint8Array) => Uint8Array): void {
  const sealed = sealOf(catalog);
  refuseOther(sealed.hash, sha256(sealed.content));
}

/** Does the same with the Web Crypto API, where there is one: a page that came over http has none of it. */
export async function refuseChangedOnWeb(catalog: Uint8Array<ArrayBuffer>): Promise<void> {
  const sealed = sealOf(catalog);
  const { crypto }: { crypto?: { subtle?: SubtleCrypto } } = globalThis;
  const subtle = crypto?.subtle;
  if (subtle !== undefined) {
    refuseOther(sealed.hash, new Uint8Array(await subtle.digest('SHA-256', sealed.content)));
  }
}

function sealOf<Bytes extends ArrayBufferLike>(
  catalog: Uint8Array<Bytes>,
): { content: Uint8Array<Bytes>; hash: Uint8Array<Bytes> } {
  const end = catalog.length - SEAL_MARK.length - HASH_BYTES;
  for (let at = 0; at < SEAL_MARK.length; at++) {
    if (catalog[end + at] !== SEAL_MARK.charCodeAt(at)) throw withoutSeal(catalog);
  }
  return { content: catalog.subarray(0, end), hash: catalog.subarray(end + SEAL_MARK.length) };
}

/** Returns what is wrong with bytes without a seal; throws where they are no catalog at all. */
function withoutSeal(bytes: Uint8Array): CatalogFormatError {
  void new Container(bytes);
  return new CatalogFormatError(
    'The catalog does not end with the hash that it was built with: it is cut short, or bytes follow it. Build or copy it again.',
  );
}

function refuseOther(hash: Uint8Array, found: Uint8Array): void {
  if (hash.every((byte, at) => byte === found[at])) return;
  throw new CatalogFormatError(
    'The bytes of the catalog were changed: they do not have the hash that it was built with. Build or copy it again.',
  );
}
