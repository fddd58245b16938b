import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints at the end of a run which files took longest, with their hooks and imports. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const timed = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { name: module.relativeModuleId, seconds: (collectDuration + duration) / 1000 };
    });
    const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
    const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}\n`);
    process.stdout.write(`\n The slowest of ${modules.length} files:\n${lines.join('')}\n`);
  }
}
