import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 10;

/**
 * Resolves when a condition holds.
 * @throws Error when it does not within 20 seconds.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`This did not become true: ${holds.toString()}`);
    await sleep(LOOK_EVERY_MS);
  }
}
