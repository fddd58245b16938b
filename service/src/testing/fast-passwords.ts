import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Iterations of scrypt in tests. With the service's own number every sign-in takes a tenth of a second of a core. */
const ITERATIONS = 16;

const { scrypt } = crypto;

type Arguments = [BinaryLike, BinaryLike, number, ScryptOptions, (error: Error | null, key: Buffer) => void];

/** Hashes and verifies at a low cost in the process of the tests. Programs that tests start have the full cost. */
function fastScrypt(...[password, salt, length, options, done]: Arguments): void {
  scrypt(password, salt, length, { ...options, N: ITERATIONS }, done);
}

// A worker runs this before each of its test files.
if (scrypt.name !== fastScrypt.name) {
  Reflect.set(crypto, 'scrypt', fastScrypt);
  syncBuiltinESMExports();
}
