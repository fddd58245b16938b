import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition is true. @throws Error when it is not in time, which must suffice on a slow machine. */
export async function until(holds: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('What was waited for did not come.');
    await sleep(20);
  }
}
