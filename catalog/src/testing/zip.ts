import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

/** Returns a zip archive of files, by name. */
export async function zipOf(files: Readonly<Record<string, Buffer>>, { zip64 = false } = {}): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) {
    zip.addBuffer(bytes, name, { compressionLevel: 1, forceZip64Format: zip64 });
  }
  zip.end({ forceZip64Format: zip64, comment: '' });
  return buffer(zip.outputStream);
}
