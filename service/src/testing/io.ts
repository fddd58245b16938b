import { Readable, Writable } from 'node:stream';

import { openDatabase } from '../database.ts';
import type { Io } from '../kernel/cli/io.ts';

/** A stream that keeps everything written to it, one chunk at a time as a slow reader would. */
export class Sink extends Writable {
  text = '';
  /** The most characters that ever waited. */
  most = 0;
  isTTY = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    this.most = Math.max(this.most, this.writableLength);
    setImmediate(done);
  }
}

/** Returns a command's surroundings with nothing set, and this on standard input. */
export function ioWith(
  stdin: string | Readable = '',
  env: NodeJS.ProcessEnv = {},
): Io & { stdout: Sink; stderr: Sink } {
  const input = typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin;
  return {
    stdin: input,
    stdout: new Sink(),
    stderr: new Sink(),
    env,
    openDatabase: (location) => openDatabase(location, 'tool'),
  };
}
