import { csvLine, harmless } from '../kernel/csv/csv.ts';
import { inEnglish } from '../kernel/ui/numbers.ts';
import { rowGroups } from './report-rows.ts';

/** A report as people read it, a field a line. Pure. */
export function reportCsv(vin: string, report: Record<string, unknown>): string {
  const rows = inEnglish(() => rowGroups(report)).flatMap((group) => group.rows);
  const lines = [['VIN', vin], ...rows.map(({ label, text }) => [label, text.replaceAll('\u00a0', ' ')])];
  return ['Field,Value', ...lines.map((cells) => csvLine(cells.map(harmless), ','))].join('\r\n').concat('\r\n');
}
