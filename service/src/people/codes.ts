import { createHmac, timingSafeEqual } from 'node:crypto';

/** The time for which an authenticator app shows a code, in milliseconds. */
const STEP_MS = 30_000;
const DIGITS = 6;

/** Returns true if a code is that of a key at a moment, or one step before or after it: RFC 6238, SHA-1. */
export function isCodeOf(secret: string, code: string, atMs: number): boolean {
  if (code.length !== DIGITS || !/^\d+$/.test(code)) return false;
  const step = Math.floor(atMs / STEP_MS);
  // All of them, so that the time does not tell which it was.
  const same = [step - 1, step, step + 1].map((one) =>
    timingSafeEqual(Buffer.from(codeOf(secret, one)), Buffer.from(code)),
  );
  return same.includes(true);
}

/** Returns the code of a step: RFC 4226, 5.3. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS).padStart(DIGITS, '0');
}
