import { Readable } from 'node:stream';

import type { Reader } from '../../testing/reader.ts';
import type { TestService } from '../../testing/service.ts';

const BOUNDARY = 'xxBOUNDARYxx';

/** A file as a person sends it on the page of their workspace's files. */
export interface SentFile {
  workspace: string;
  name: string;
  bytes: Uint8Array | string | Readable;
  /** Default: detected. */
  column?: string;
}

/** Sends a file as a browser does. */
export function sendFile(service: TestService, owner: Reader, { workspace, name, bytes, column = '' }: SentFile) {
  const part = (head: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const before = `${part('name="column"')}${column}\r\n${part(`name="file"; filename="${name}"`)}`;
  const after = `\r\n--${BOUNDARY}--\r\n`;
  return service.app.inject({
    method: 'POST',
    url: `/portal/${workspace}/files`,
    headers: {
      cookie: owner.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    payload:
      bytes instanceof Readable
        ? Readable.from(pieces(before, bytes, after))
        : Buffer.concat([before, bytes, after].map((piece) => Buffer.from(piece))),
  });
}

async function* pieces(before: string, bytes: Readable, after: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before);
  for await (const piece of bytes) yield Buffer.from(piece);
  yield Buffer.from(after);
}
