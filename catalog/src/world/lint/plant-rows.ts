import { isPlant } from '../../values/index.ts';
import { countriesOfWmis } from '../../wmi/wmis.ts';
import type { WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';
import type { ReadRow } from '../table.ts';

/**
 * Checks rows that give a plant, for any time or for any maker: each names a plant of the gazetteer and the first year
 * in which it built the make's vehicles, and one in another country than the WMI's names the WMIs that it applies to.
 *
 * @param countries the country of each WMI
 */
export function plantRows(
  { layouts, tables }: WorldFacts,
  countries: ReadonlyMap<string, string> = countriesOfWmis(),
): Problem[] {
  const wmisOf = new Map<string, Set<string>>();
  for (const { rows, wmis } of layouts) {
    for (const { origin } of rows) wmisOf.set(origin, new Set([...(wmisOf.get(origin) ?? []), ...wmis]));
  }
  return [...tables.values()]
    .flat()
    .filter(({ row }) => row.plant_city !== undefined || row.plant_country !== undefined)
    .flatMap((read) => faultOf(read, wmisOf.get(read.origin) ?? new Set(), countries));
}

function faultOf(
  { origin, row }: ReadRow,
  wmis: ReadonlySet<string>,
  countries: ReadonlyMap<string, string>,
): Problem[] {
  if (row.plant_country === undefined) return [{ where: origin, what: 'the plant has no country' }];
  if (row.plant_city !== undefined && !isPlant({ city: row.plant_city, country: row.plant_country })) {
    const what = `facts/values/plants.csv has no ${row.plant_city}, ${row.plant_country}: write it as there, or add it`;
    return [{ where: origin, what }];
  }
  if (row.from === undefined)
    return [{ where: origin, what: 'write in "from" since when the plant builds these vehicles' }];
  if (row.wmi !== undefined) return [];
  const abroad = [...wmis].filter((wmi) => countries.has(wmi) && countries.get(wmi) !== row.plant_country);
  if (abroad.length === 0) return [];
  const what = `the plant is in ${row.plant_country}, but ${abroad.join(', ')} is of another country: write in "wmi" which WMIs the row holds under`;
  return [{ where: origin, what }];
}
