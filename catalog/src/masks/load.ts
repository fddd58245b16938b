import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SPEC_MARKETS, type SpecMarket } from '@marque/decoder/format';

import { csvLines, csvRecords } from '../csv.ts';
import { SPEC_COLUMNS } from '../specs/columns.ts';
import { isMaskField, maskColumnFault, type MaskRow } from './columns.ts';

/** A table of masks with what its list says of it. */
export interface MaskSource {
  id: string;
  title: string;
  market: SpecMarket;
  rows: readonly MaskRow[];
}

const ADVICE = 'An imported table does not fit: import its source again, or take it out with marque catalog remove.';

/**
 * Reads the imported tables of masks; none where nothing was imported.
 *
 * @throws Error that lists every fault.
 */
export function loadMasks(folder: string): MaskSource[] {
  const list = join(folder, 'sources.csv');
  if (!existsSync(list)) return [];
  const faults: string[] = [];
  const sources = csvRecords(readFileSync(list, 'utf8')).map(({ id = '', title = '', market = '' }): MaskSource => {
    const known = SPEC_MARKETS.find((name) => name === market);
    if (known === undefined) faults.push(`masks/sources.csv: ${id}: "${market}" is no market`);
    const rows = readMasks(`masks/${id}.csv`, readFileSync(join(folder, `${id}.csv`), 'utf8'), faults);
    return { id, title, market: known ?? 'europe', rows };
  });
  if (faults.length > 0) throw new Error(`${ADVICE}\n${faults.join('\n')}`);
  return sources;
}

function readMasks(file: string, text: string, faults: string[]): MaskRow[] {
  const [header = [], ...lines] = csvLines(text);
  return lines.map((fields, index) => {
    const row: MaskRow = { mask: '', make: '', model: '' };
    for (const [at, name] of header.entries()) {
      const value = fields[at] ?? '';
      if (value === '') continue;
      const fault = maskColumnFault(name, value);
      if (fault !== undefined) faults.push(`${file}:${index + 2}: ${name}: ${fault}`);
      Object.assign(row, { [name]: isMaskField(name) && SPEC_COLUMNS[name].kind === 'number' ? Number(value) : value });
    }
    return row;
  });
}
