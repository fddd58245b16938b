import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvRecords } from '../csv.ts';
import { CATALOG_ROOT } from '../root.ts';
import { FIELDS, judge } from '../labels/judge.ts';
import type { Scored } from './tally.ts';

export const HEADER = `# Accuracy

Written by \`npm run accuracy\`; do not edit. *Answered* is the share of labelled VINs for which the field has a value,
*right* the share of those answers that agree with the label: what is not sure is left out, so *right* is the figure
that matters. In the tables by group each cell is answered / right. Labels come from sellers and registers and are
themselves sometimes wrong; every wrong answer is listed with a verdict: ours, the label's, or undecidable from a VIN. Each VIN is
decoded without the rows that rest on nothing but VINs of its own group (the same positions 1-8, 10 and 11): what is shown is what
to expect of VINs that no one has looked at, not how well the facts fit those that they were written with.
Serial numbers are masked.
`;

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
