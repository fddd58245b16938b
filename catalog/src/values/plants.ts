import { placeCase, tidy } from './casing.ts';
import { keyOf, once, readTable } from './table.ts';

const cities = once(() => readTable('cities.csv', ['vpic', 'city']));
const states = once(() => readTable('states.csv', ['vpic', 'state']));
const plants = once(() => readTable('plants.csv', ['city', 'country', 'known_as'], 2));
const countries = once(() => readTable('countries.csv', ['vpic', 'country']));

/**
 * Returns the city of vPIC's plant city (element 31): "SANT'AGATA BOLOGNESE" to "Sant'Agata Bolognese", "OSHAWA #1" to
 * "Oshawa". Undefined where the text names no city ("PLANT 2") or more than one.
 */
export function plantCity(vpicCity: string): string | undefined {
  const row = cities().get(keyOf(vpicCity));
  if (row) return row.city || undefined;
  return placeCase(spellOut(withoutDetail(vpicCity))) || undefined;
}

/** Returns the state or province of vPIC's plant state (element 77): "ZHEJIANG PROVINCE" to "Zhejiang". */
export function plantState(vpicState: string): string | undefined {
  const row = states().get(keyOf(vpicState));
  if (row) return row.state || undefined;
  return placeCase(tidy(vpicState).replace(/ (PROVINCE|PREFECTURE|CITY)$/i, '')) || undefined;
}

/** The place where vehicles are built. */
export interface Plant {
  city: string;
  country: string;
}

const plantsByName = once((): ReadonlyMap<string, readonly Plant[]> => {
  const byName = new Map<string, Plant[]>();
  for (const { city, country, known_as: others } of plants().values()) {
    for (const name of [city, ...others.split('|')].filter((one) => one !== '')) {
      byName.set(keyOf(name), [...(byName.get(keyOf(name)) ?? []), { city, country }]);
    }
  }
  return byName;
});

/** Returns the plants of the gazetteer that a city, a district or a works of this name means: one a country. */
export function plantsNamed(name: string): readonly Plant[] {
  return plantsByName().get(keyOf(name)) ?? [];
}

/** Returns true if the gazetteer has a plant's city and country in this spelling. */
export function isPlant({ city, country }: Plant): boolean {
  const known = plants().get(`${keyOf(city)}|${keyOf(country)}`);
  return known?.city === city && known.country === country;
}

/**
 * Returns the country of vPIC's plant country (element 75); undefined where it is not in facts/values/countries.csv.
 */
export function plantCountry(vpicCountry: string): string | undefined {
  return countries().get(keyOf(vpicCountry))?.country;
}

/** Drops text in brackets: a street, a plant's name, a second name. */
function withoutDetail(city: string): string {
  return tidy(city.replace(/\([^)]*\)/g, ' '));
}

/** Spells "FT. WORTH" and "MT PLEASANT" as the other rows of vPIC do, so that one city has one name. */
function spellOut(city: string): string {
  return city
    .replace(/^(FT|MT)(?:\. ?| )/i, (_, word: string) => (word.toUpperCase() === 'FT' ? 'FORT ' : 'MOUNT '))
    .replace(/^ST\.? ?(?=\p{L})/iu, (whole) => (/^ST[. ]/i.test(whole) ? 'ST. ' : whole))
    .replace(/ TWP\.?$/i, ' TOWNSHIP');
}
