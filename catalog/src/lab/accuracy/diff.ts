import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openCatalog, type VehicleReport } from '@marque/decoder';

import { ensureCatalog } from '../../build.ts';
import { CATALOG_ROOT, PROJECT_ROOT } from '../../root.ts';
import { FIELDS, compareField, type Verdict } from '../../labels/compare.ts';
import { labeledSets } from '../../labels/sets.ts';
import { decodeAll } from './sets.ts';
import type { Scored } from './tally.ts';

/**
 * `npm run catalog:diff [-- REVISION]`: which labeled VINs decode differently with the facts as they are than with
 * those of a revision (default HEAD), compiled by the same compiler. A change in facts is reviewed as this list.
 */
const revision = process.argv[2] ?? 'HEAD';
const folder = mkdtempSync(join(tmpdir(), 'marque-diff-'));
try {
  compare();
} catch (error) {
  process.stderr.write(
    `The facts of ${revision} cannot be compared: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'failed'}\n`,
  );
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function compare(): void {
  const before = openCatalog(compileRevision());
  const after = openCatalog(ensureCatalog().file);
  let differing = 0;
  for (const file of labeledSets()) {
    const old = decodeAll(before, file);
    for (const [index, scored] of decodeAll(after, file).entries()) {
      const earlier = old[index];
      if (earlier === undefined) continue;
      const lines = differences(earlier, scored);
      if (lines.length === 0) continue;
      differing++;
      process.stdout.write(`${scored.labeled.vin.slice(0, 11)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
    }
  }
  process.stdout.write(`${differing} labeled VINs decode differently than with the facts of ${revision}.\n`);
}

function compileRevision(): string {
  const archive = execFileSync('git', ['archive', revision, 'catalog/facts'], {
    cwd: PROJECT_ROOT,
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const catalog = join(folder, 'before.catalog');
  execFileSync(process.execPath, [join(CATALOG_ROOT, 'dist', 'src', 'cli.js'), 'compile', catalog], {
    env: { ...process.env, MARQUE_FACTS: join(folder, 'catalog', 'facts') },
    stdio: 'inherit',
  });
  return catalog;
}

/** Lists the fields that changed, and the effect on labeled ones. */
function differences(before: Scored, after: Scored): string[] {
  const old = flat(before.report);
  const now = flat(after.report);
  const lines = [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => old.get(field) !== now.get(field))
    .map((field) => `${field}: ${old.get(field) ?? '-'} -> ${now.get(field) ?? '-'}`);
  const verdicts = FIELDS.map((field): [string, Verdict, Verdict] => [
    field,
    compareField(field, before.labeled, before.report),
    compareField(field, after.labeled, after.report),
  ]);
  const turned = verdicts.filter(([, was, is]) => was !== is).map(([field, was, is]) => `${field}: ${was} -> ${is}`);
  return turned.length === 0 ? lines : [...lines, `by the label: ${turned.join(', ')}`];
}

function flat(report: Partial<VehicleReport>): Map<string, string> {
  const { specs = {}, technicalSpecs = {}, ...fields } = report;
  const entries = [...Object.entries(fields), ...Object.entries(specs), ...Object.entries(technicalSpecs)];
  return new Map(entries.map(([field, value]) => [field, String(value)]));
}
