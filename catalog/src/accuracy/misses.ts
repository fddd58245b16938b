import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvRecords } from '../csv.ts';
import { CATALOG_ROOT } from '../root.ts';
import { FIELDS, judge } from '../labels/judge.ts';
import type { Scored } from './tally.ts';

/** Verdicts on wrong answers, kept by hand in facts/labelled/verdicts.csv: by VIN prefix and field. */
function readVerdicts(): Map<string, { verdict: string; why: string }> {
  const file = join(CATALOG_ROOT, 'facts', 'labelled', 'verdicts.csv');
  const found = new Map<string, { verdict: string; why: string }>();
  for (const row of csvRecords(readFileSync(file, 'utf8'), file)) {
    found.set(`${row['vin']}:${row['field']}`, { verdict: row['verdict'] ?? '', why: row['why'] ?? '' });
  }
  return found;
}

const MASKED_FROM = 11;

/** Every wrong answer with its verdict. */
export function missesOf(scored: readonly Scored[]): string {
  const verdicts = readVerdicts();
  const lines: string[] = [];
  for (const field of FIELDS) {
    for (const { labelled, report } of scored) {
      if (judge(field, labelled, report) !== 'wrong') continue;
      const vin = labelled.vin.slice(0, MASKED_FROM);
      const known = verdicts.get(`${vin}:${field}`);
      const said = field === 'body' ? report.bodyStyleNormalized : valueOf(report, field);
      const wanted =
        field === 'body'
          ? (labelled.expected.bodyStyleNormalized ?? labelled.expected.bodyStyle)
          : labelled.expected[field];
      lines.push(
        `| ${vin}… | ${field} | ${String(said)} | ${String(wanted)} | ${known?.verdict ?? 'open'} | ${known?.why ?? ''} |`,
      );
    }
  }
  const head = ['| VIN | field | answered | label | verdict | why |', '|---|---|---|---|---|---|'];
  return ['### Wrong answers', '', ...head, ...lines].join('\n');
}

function valueOf(report: Scored['report'], field: Exclude<(typeof FIELDS)[number], 'body'>): unknown {
  if (field === 'manufacturer' || field === 'model' || field === 'modelYear') return report[field];
  return report.specs?.[field];
}
