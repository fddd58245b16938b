import { FIELDS, compareField } from '../../labels/compare.ts';
import { readVerdicts, verdictOf } from '../../labels/verdict-file.ts';
import type { Scored } from './tally.ts';

const MASKED_FROM = 11;

/** Returns every wrong answer with its verdict. */
export function missesOf(scored: readonly Scored[]): string {
  const verdicts = readVerdicts();
  const lines: string[] = [];
  for (const field of FIELDS) {
    for (const { labeled, report } of scored) {
      if (compareField(field, labeled, report) !== 'wrong') continue;
      const vin = labeled.vin.slice(0, MASKED_FROM);
      const known = verdictOf(verdicts, vin, field);
      const said = field === 'body' ? report.bodyStyleNormalized : valueOf(report, field);
      const wanted =
        field === 'body'
          ? (labeled.expected.bodyStyleNormalized ?? labeled.expected.bodyStyle)
          : labeled.expected[field];
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
