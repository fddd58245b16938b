/** Milliseconds after which the right to go on is looked at again. */
const LATE_MS = 1_000;

/**
 * Passes on the pages of a long answer for as long as its reader may have them: a key may be revoked, or a member removed,
 * while it is read.
 *
 * @param recheck throws once they may not: the answer then ends unfinished.
 */
export async function* whileAllowed<Page>(
  pages: AsyncGenerator<Page>,
  recheck: () => Promise<void>,
): AsyncGenerator<Page> {
  let checkedAtMs = performance.now();
  for await (const page of pages) {
    if (performance.now() - checkedAtMs >= LATE_MS) {
      await recheck();
      checkedAtMs = performance.now();
    }
    yield page;
  }
}
