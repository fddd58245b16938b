import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long by themselves: a run prints them as its slowest. */
const LONGEST = [
  'service/src/workspaces/pages/portal.browser.test.ts',
  'service/src/site/landing/landing.browser.test.ts',
  'service/src/site/reference/reference.browser.test.ts',
  'service/src/admin/admin.browser.test.ts',
  'deploy/packages/packages.test.ts',
  'deploy/docker/image.test.ts',
  'service/src/process.test.ts',
  'service/src/cluster/cluster.test.ts',
  'decoder/examples/examples.test.ts',
  'client/tests/generators.test.ts',
  'catalog/src/import/vpic.test.ts',
  'service/src/security/whole-run.test.ts',
  'service/src/contract.test.ts',
];

/**
 * Starts the longest files first, so that no run ends with one of them alone. Vitest itself knows how long a file takes
 * once it has run here; until then it only knows its size.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's, not an array's
    const sorted = await super.sort(files);
    const placeOf = (file: TestSpecification): number => {
      const isTimed = this.ctx.cache.getTestSpecificationResult(file) !== undefined;
      const place = LONGEST.findIndex((name) => file.moduleId.endsWith(`/${name}`));
      return isTimed || place < 0 ? LONGEST.length : place;
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
