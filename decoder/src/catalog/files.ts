import { CatalogFormatError } from './container.ts';

const ONLY_BYTES = 'Here a catalog opens from its bytes alone: see fetchCatalog.';

/**
 * Reads the bytes of a file. Node's modules are loaded at run time: an import of them would break bundles for browsers.
 *
 * @throws CatalogFormatError if there are no files, as in a browser.
 */
export function readCatalogFile(file: string | URL): Uint8Array {
  const fs = runtime()?.getBuiltinModule('node:fs');
  if (fs === undefined) throw new CatalogFormatError(ONLY_BYTES);
  return fs.readFileSync(file);
}

/**
 * Reads a catalog file into shared memory, expanded: threads that each open it share the one copy.
 *
 * @throws CatalogFormatError if there are no files, as in a browser, or when the file is compressed and damaged.
 */
export function readSharedCatalog(file: string | URL): Uint8Array {
  const fs = runtime()?.getBuiltinModule('node:fs');
  if (fs === undefined) throw new CatalogFormatError(ONLY_BYTES);
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = new Uint8Array(new SharedArrayBuffer(fs.fstatSync(descriptor).size));
    for (let offset = 0, count = 1; count > 0 && offset < bytes.length; offset += count) {
      count = fs.readSync(descriptor, bytes, { offset });
    }
    return isCompressed(bytes) ? shared(expand(Uint8Array.from(bytes))) : bytes;
  } finally {
    fs.closeSync(descriptor);
  }
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** Returns true if the bytes are compressed with gzip (RFC 1952, 2.3.1). */
export function isCompressed(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Expands gzip. @throws CatalogFormatError if there is no zlib, as in a browser, or the bytes are cut short. */
export function expand(bytes: Uint8Array): Uint8Array {
  const zlib = runtime()?.getBuiltinModule('node:zlib');
  if (zlib === undefined) throw new CatalogFormatError(ONLY_BYTES);
  try {
    return zlib.gunzipSync(bytes);
  } catch (cause) {
    throw new CatalogFormatError('The compressed catalog is damaged or cut short.', { cause });
  }
}

/** Returns the SHA-256 of bytes. @throws CatalogFormatError if nothing computes it at once, as in a browser. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const crypto = runtime()?.getBuiltinModule('node:crypto');
  if (crypto === undefined) throw new CatalogFormatError(ONLY_BYTES);
  return crypto.createHash('sha256').update(bytes).digest();
}

function runtime(): Pick<NodeJS.Process, 'getBuiltinModule'> | undefined {
  const { process } = globalThis as { process?: NodeJS.Process };
  // Bundlers for browsers replace `process` with one that has few properties.
  return typeof process?.getBuiltinModule === 'function' ? process : undefined;
}
