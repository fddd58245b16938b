import type { VpicTables } from '../../../src/vpic/tables.ts';
import type { Collector } from './collect.ts';
import { numberOf, numberOrZero } from './numbers.ts';

/**
 * Returns NHTSA's own small tables, which are newer than facts/vpic. A reduced set may lack some; those are left out.
 */
export function factsOf({ rows, lookups }: Collector): VpicTables['facts'] {
  const tableOf = new Map(rows.element.map(({ id, lookuptable }) => [id, lookuptable?.toLowerCase()]));
  const defaultText = (element: string | null, value: string): string => {
    const table = tableOf.get(element);
    if (table === undefined) return value;
    return value === '0' ? 'Not Applicable' : (lookups.get(table)?.get(value) ?? '');
  };
  const facts: VpicTables['facts'] = {
    elements: rows.element
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map((row) => ({
        element: numberOf(row.id, 'element id'),
        name: row.name ?? '',
        code: row.code ?? '',
        weight: Number(row.weight ?? 0),
        shown: row.decode !== null && row.decode !== '' && row.isprivate !== 't',
      })),
  };
  if (rows.defaultvalue.length > 0) {
    facts.defaults = rows.defaultvalue.map((row) => ({
      vehicleType: numberOrZero(row.vehicletypeid, 'vehicletypeid of a default'),
      element: numberOf(row.elementid, 'elementid of a default'),
      value: defaultText(row.elementid, row.defaultvalue ?? ''),
    }));
  }
  if (rows.errorcode.length > 0) {
    facts.errorCodes = rows.errorcode.map((row) => ({
      code: numberOf(row.id, 'error code'),
      weight: Number(row.weight ?? 0),
      text: row.name ?? '',
      additionalText: row.additionalerrortext ?? '',
    }));
  }
  if (rows.vindescriptor.length > 0) {
    facts.descriptors = rows.vindescriptor.map((row) => ({
      descriptor: row.descriptor ?? '',
      modelYear: numberOf(row.modelyear, 'modelyear of a descriptor'),
    }));
  }
  return facts;
}
