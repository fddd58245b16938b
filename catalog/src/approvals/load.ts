import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SPEC_MARKETS, type SpecMarket } from '@marque/decoder/format';

import { csvLines, csvRecords } from '../csv.ts';
import { SPEC_COLUMNS } from '../specs/columns.ts';
import { isApprovalField, columnFault, type ApprovalRow } from './columns.ts';

/** A table of type approvals with its entry in the list. */
export interface ApprovalSource {
  id: string;
  title: string;
  market: SpecMarket;
  rows: readonly ApprovalRow[];
}

const ADVICE = 'An imported table does not fit: import its source again, or take it out with marque catalog remove.';

/**
 * Reads the imported tables of type approvals; none where nothing was imported.
 *
 * @throws Error that lists every fault.
 */
export function loadApprovals(folder: string): ApprovalSource[] {
  const list = join(folder, 'sources.csv');
  if (!existsSync(list)) return [];
  const faults: string[] = [];
  const sources = csvRecords(readFileSync(list, 'utf8'), list).map(
    ({ id = '', title = '', market = '' }): ApprovalSource => {
      const known = SPEC_MARKETS.find((name) => name === market);
      if (known === undefined) faults.push(`approvals/sources.csv: ${id}: "${market}" is no market`);
      const rows = readApprovals(`approvals/${id}.csv`, readFileSync(join(folder, `${id}.csv`), 'utf8'), faults);
      return { id, title, market: known ?? 'europe', rows };
    },
  );
  if (faults.length > 0) throw new Error(`${ADVICE}\n${faults.join('\n')}`);
  return sources;
}

function readApprovals(file: string, text: string, faults: string[]): ApprovalRow[] {
  const [header = [], ...lines] = csvLines(text);
  return lines.map((fields, index) => {
    const row: ApprovalRow = { mask: '', make: '', model: '' };
    for (const [at, name] of header.entries()) {
      const value = fields[at] ?? '';
      if (value === '') continue;
      const fault = columnFault(name, value);
      if (fault !== undefined) faults.push(`${file}:${index + 2}: ${name}: ${fault}`);
      Object.assign(row, {
        [name]: isApprovalField(name) && SPEC_COLUMNS[name].kind === 'number' ? Number(value) : value,
      });
    }
    return row;
  });
}
