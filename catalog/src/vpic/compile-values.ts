import { BODY_STYLES } from '@marque/decoder';
import { ELEMENT, NUMBER_ELEMENTS } from '@marque/decoder/format';

import { putDistinct, putSparse, type Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import {
  bodyClass,
  driveType,
  ENGINE_CONFIGURATIONS,
  engineCode,
  engineConfiguration,
  fuelType,
  makeName,
  modelName,
  ownerOfTrim,
  plantCity,
  plantCountry,
  plantsNamed,
  plantState,
  seriesCode,
  transmission,
  trimBadge,
  trimName,
  vehicleType,
} from '../values/index.ts';
import type { VpicTables } from './tables.ts';
import type { ValueTable } from './values.ts';

/** Writes for each of vPIC's values what people write instead: the sections `clean.*`. */
export function compileValues(
  tables: VpicTables,
  values: ValueTable,
  strings: StringTable,
  makeOfTrim: ReadonlyMap<string, string>,
  sections: Sections,
): void {
  const texts = (element: number): string[] =>
    values.attributes(element).map((attribute) => values.text(element, attribute));
  const column = (name: string, element: number, clean: (text: string) => string | undefined): void =>
    void sections.set(
      `clean.${name}`,
      Uint32Array.from(texts(element), (text) => strings.id(clean(text) ?? '')),
    );
  compileModels(tables, values, strings, sections);
  compileMakesAndTypes(tables, strings, sections);
  const bodies = texts(ELEMENT.body).map((text) => bodyClass(text));
  sections.set(
    'clean.body.label',
    Uint32Array.from(bodies, (body) => strings.id(body?.label ?? '')),
  );
  sections.set(
    'clean.body.style',
    Uint8Array.from(bodies, (body) => BODY_STYLES.indexOf(body?.body ?? 'unknown')),
  );
  column('cab', ELEMENT.cab, cabDetail);
  column('drive', ELEMENT.drive, driveType);
  column('city', ELEMENT.city, plantCity);
  compilePlants(texts(ELEMENT.city), strings, sections);
  column('state', ELEMENT.state, plantState);
  column('country', ELEMENT.country, plantCountry);
  column('series', ELEMENT.series, seriesCode);
  column('trim', ELEMENT.trim, (trim) => trimName({ make: makeOfTrim.get(trim), trim }));
  column('trim.owner', ELEMENT.trim, (trim) => ownerOfTrim(makeOfTrim.get(trim) ?? '', trim));
  const engines = texts(ELEMENT.engineModel).map((text) => engineCode(text));
  sections.set(
    'clean.engine.cylinders',
    Uint8Array.from(engines, (code) => code?.cylinders ?? 0),
  );
  sections.set(
    'clean.engine.tenths',
    Uint8Array.from(engines, (code) => code?.tenths ?? 0),
  );
  column('badge', ELEMENT.trim, (trim) => trimBadge({ make: makeOfTrim.get(trim), trim }));
  compileFuels(texts, strings, sections);
  compileTransmissions(texts, strings, sections);
  const configurations = texts(ELEMENT.configuration).map((text) => engineConfiguration(text));
  sections.set(
    'clean.configuration',
    Uint8Array.from(configurations, (known) => (known === undefined ? 0 : ENGINE_CONFIGURATIONS.indexOf(known) + 1)),
  );
  sections.set(
    'clean.turbo',
    Uint8Array.from(texts(ELEMENT.turbo), (text) => (text === 'Yes' ? 1 : 0)),
  );
  for (const element of NUMBER_ELEMENTS) {
    const numbers = texts(element).map((text) => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0));
    sections.set(`clean.number.${element}`, Float64Array.from(numbers));
  }
}

/** Returns the "crew cab" of a pickup; the label of a body has it after a comma. */
function cabDetail(cab: string): string | undefined {
  return bodyClass('Pickup', { cab })?.label.split(', ')[1];
}

/** Compiles the plants of each city's name, as runs of city and country. */
function compilePlants(texts: readonly string[], strings: StringTable, sections: Sections): void {
  const plants = texts.map((text) => plantsNamed(plantCity(text) ?? ''));
  const starts = [0];
  for (const named of plants) starts.push((starts.at(-1) ?? 0) + named.length);
  sections.set('clean.plant.start', Uint32Array.from(starts));
  const all = plants.flat();
  sections.set(
    'clean.plant.city',
    Uint32Array.from(all, ({ city }) => strings.id(city)),
  );
  sections.set(
    'clean.plant.country',
    Uint32Array.from(all, ({ country }) => strings.id(country)),
  );
}

function compileModels(tables: VpicTables, values: ValueTable, strings: StringTable, sections: Sections): void {
  const models = values.attributes(ELEMENT.model).map((id) => {
    const make = tables.makeOfModel.get(id) ?? '';
    const name = modelName({ make, model: values.text(ELEMENT.model, id) });
    return { make: name.make ?? makeName(make), model: name.model, modelCode: name.modelCode };
  });
  putDistinct(
    sections,
    'clean.model.make',
    models.map((model) => strings.id(model.make)),
  );
  sections.set(
    'clean.model.name',
    Uint32Array.from(models, (model) => strings.id(model.model ?? '')),
  );
  const sparse = (name: string, values: number[]): void => putSparse(sections, `clean.model.${name}`, values);
  sparse(
    'code',
    models.map((model) => strings.id(model.modelCode ?? '')),
  );
}

function compileMakesAndTypes(tables: VpicTables, strings: StringTable, sections: Sections): void {
  const wmis = tables.wmis.toSorted((a, b) => (a.wmi < b.wmi ? -1 : 1));
  const single = wmis.map((wmi) => (wmi.makes.length === 1 ? makeName(wmi.makes[0] ?? '') : ''));
  sections.set(
    'clean.wmi.make',
    Uint32Array.from(single, (make) => strings.id(make)),
  );
  const types = new Uint32Array(32);
  for (const [id, type] of tables.lookups.get('vehicletype') ?? []) {
    types[Number(id)] = strings.id(vehicleType(type) ?? '');
  }
  sections.set('clean.vehicleType', types);
}

/**
 * Compiles fuels by primary fuel, secondary fuel and electrification level; the first place of the latter two is
 * "none".
 */
function compileFuels(texts: (element: number) => string[], strings: StringTable, sections: Sections): void {
  const seconds = [undefined, ...texts(ELEMENT.secondFuel)];
  const levels = [undefined, ...texts(ELEMENT.electrification)];
  const cells = texts(ELEMENT.fuel).flatMap((primary) =>
    seconds.flatMap((second) => levels.map((level) => strings.id(fuelType(primary, second, level) ?? ''))),
  );
  sections.set('clean.fuel', Uint32Array.from(cells));
  sections.set('clean.fuel.size', Uint32Array.from([seconds.length, levels.length]));
}

/** Compiles gearboxes by transmission style and number of speeds, whose first place is "unknown". */
function compileTransmissions(texts: (element: number) => string[], strings: StringTable, sections: Sections): void {
  const speeds = [undefined, ...texts(ELEMENT.speeds).map(Number)];
  const cells = texts(ELEMENT.transmission).flatMap((style) =>
    speeds.map((count) => strings.id(transmission(style, count) ?? '')),
  );
  sections.set('clean.transmission', Uint32Array.from(cells));
}
