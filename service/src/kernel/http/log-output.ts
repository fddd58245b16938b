import { constants, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STDOUT = 1;
/** Lines that may wait while they cannot be written, in characters: those of some 50,000 requests. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Characters that are written at once: Docker reads as many. */
const PIECE = 16 * 1024;
/** The time after which a write that failed is tried again, in milliseconds. */
const PAUSE_MS = 100;
/** The time that a process which ends gives the reader of its log, in milliseconds. */
const LAST_LINES_MS = 1_000;

const NOTHING = Buffer.alloc(0);

/**
 * The log's way to stdout, which holds nothing up: while nobody reads, or the disk is full, lines wait up to a bound,
 * further ones are dropped and counted, and a process that ends leaves the rest after a second.
 */
export class LogOutput {
  readonly #descriptor = unblockedStdout();
  readonly #tellDropped: (lines: number) => void;
  #pieces: string[] = [];
  /** Characters of the pieces. */
  #waiting = 0;
  /** The piece that is being written. */
  #rest: Buffer = NOTHING;
  #isWriting = false;
  #isPausing = false;
  #dropped = 0;

  /** @param tellDropped called once everything is written, with the number of lines that were dropped before. */
  constructor(tellDropped: (lines: number) => void) {
    this.#tellDropped = tellDropped;
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#waiting + line.length > MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += line.length;
    const last = this.#pieces.length - 1;
    const piece = this.#pieces[last];
    if (piece === undefined || piece.length + line.length > PIECE) this.#pieces.push(line);
    else this.#pieces[last] = piece + line;
    this.#next();
  }

  /** Writes what waits before it returns: pino calls it for fatal lines, after which a process ends. */
  flushSync(): void {
    const text = Buffer.from(this.#pieces.splice(0).join(''));
    this.#waiting = 0;
    if (this.#isWriting) return writeWithinTime(this.#descriptor, text);
    writeWithinTime(this.#descriptor, Buffer.concat([this.#rest, text]));
    this.#rest = NOTHING;
  }

  #next(): void {
    if (this.#isWriting || this.#isPausing) return;
    if (this.#rest.length === 0) {
      const piece = this.#pieces.shift();
      if (piece === undefined) {
        this.#tellIfDropped();
        return;
      }
      this.#waiting -= piece.length;
      this.#rest = Buffer.from(piece);
    }
    this.#isWriting = true;
    write(this.#descriptor, this.#rest, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#rest = this.#rest.subarray(written);
      else this.#pause();
      this.#next();
    });
  }

  #pause(): void {
    this.#isPausing = true;
    const goOn = (): void => {
      this.#isPausing = false;
      this.#next();
    };
    setTimeout(goOn, PAUSE_MS).unref();
  }

  #tellIfDropped(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#tellDropped(dropped);
  }
}

/** Writes as much as its reader takes in time; nothing more after another failure, such as of a full disk. */
function writeWithinTime(descriptor: number, bytes: Buffer): void {
  const untilMs = performance.now() + LAST_LINES_MS;
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isFull || performance.now() > untilMs) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS / 10);
    }
  }
}

/**
 * Returns a descriptor of stdout that says when it is full. Node has made a pipe such a one; a terminal that stands
 * still would hold a thread, and with it the end of the process, and is opened anew.
 */
function unblockedStdout(): number {
  if (!isatty(STDOUT)) return STDOUT;
  try {
    return openSync('/dev/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // It belongs to another user, or the system has no such file.
    return STDOUT;
  }
}
