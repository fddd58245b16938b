import { csvLines } from '../../src/csv.ts';
import { isSpecColumn, type SpecColumn, type SpecRow } from '../../src/specs/columns.ts';

interface Refusal {
  /** The line of the list, for naming it. */
  line: number;
  make: string;
  model: string;
  badge: string;
  from: number;
  to: number;
  cc: string;
  charged: string;
  field: SpecColumn;
  value: string;
  used: boolean;
}

/**
 * Values of a source that are known to be wrong, each with its reason in facts/specs/refused.csv: they are dropped as
 * if the source lacked them. Empty badge, cc and charged apply to all; charged 0 is an engine without.
 */
export class Refusals {
  readonly #refusals: Refusal[];

  /** @throws Error where a column that is refused does not exist. */
  constructor(text: string, source: string) {
    this.#refusals = [];
    for (const [index, fields] of csvLines(text).entries()) {
      const [table, make = '', model = '', badge = '', from = '', to = '', cc = '', charged = ''] = fields;
      if (table !== source) continue;
      const [field = '', value = ''] = fields.slice(8);
      if (!isSpecColumn(field)) throw new Error(`refused.csv:${index + 1}: there is no column "${field}"`);
      const [first, last] = [Number(from), Number(to)];
      this.#refusals.push({
        line: index + 1,
        make,
        model,
        badge,
        from: first,
        to: last,
        cc,
        charged,
        field,
        value,
        used: false,
      });
    }
  }

  /** Drops the refused values of a row of one year. */
  apply(row: SpecRow): void {
    for (const refusal of this.#refusals) {
      if (!isOf(refusal, row)) continue;
      refusal.used = true;
      delete row[refusal.field as 'powerKw'];
    }
  }

  /** Lines of the list that refused nothing: the source has changed, or the line is wrong. */
  unused(): number[] {
    return this.#refusals.filter(({ used }) => !used).map(({ line }) => line);
  }
}

function isOf({ make, model, badge, from, to, cc, charged, field, value }: Refusal, row: SpecRow): boolean {
  if (row.make !== make || row.model !== model || row.from < from || row.to > to) return false;
  if (badge !== '' && row.badge !== badge) return false;
  if (cc !== '' && row.cc !== Number(cc)) return false;
  if (charged !== '' && (row.charged ?? 0) !== Number(charged)) return false;
  return String(row[field] ?? '') === value;
}
