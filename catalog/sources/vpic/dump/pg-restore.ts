import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { DumpError } from './dump-error.ts';

const MAGIC = 'PGDMP';

/** Returns true if a file that begins so is in pg_dump's custom format. */
export function isCustomFormat(head: Buffer): boolean {
  return head.toString('latin1', 0, MAGIC.length) === MAGIC;
}

/**
 * Passes the SQL of a dump in pg_dump's custom format to `take`. PostgreSQL's own `pg_restore` reads it: the format
 * changes with PostgreSQL's versions, and only its own program keeps up.
 *
 * @throws DumpError when `pg_restore` is missing or refuses the dump.
 */
export async function restoreSql(
  first: Buffer,
  rest: AsyncIterable<Buffer>,
  take: (bytes: Buffer) => void,
): Promise<void> {
  const child = spawn('pg_restore', ['--data-only', '--file=-'], { stdio: 'pipe' });
  try {
    const exited = once(child, 'close') as Promise<[code: number | null]>;
    const [complaint, [code]] = await Promise.all([
      text(child.stderr),
      exited,
      feed(child.stdin, first, rest),
      (async () => {
        for await (const piece of child.stdout as AsyncIterable<Buffer>) take(piece);
      })(),
    ]);
    if (code !== 0) throw new DumpError(`pg_restore cannot read this dump: ${complaint.trim()}. ${INSTEAD}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new DumpError(
        `This is PostgreSQL's custom format. Install pg_restore (Debian: postgresql-client) to read it. ${INSTEAD}`,
      );
    }
    throw error;
  } finally {
    child.kill();
  }
}

const INSTEAD = 'Or take the download whose name ends in .plain.zip.';

/** Feeds a program. One that is missing or stops early breaks the pipe: its exit status and words give the reason. */
async function feed(stdin: Writable, first: Buffer, rest: AsyncIterable<Buffer>): Promise<void> {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    yield first;
    yield* rest;
  };
  await pipeline(pieces, stdin).catch(() => {});
}
