import { basename } from 'node:path';

import { dayOf, microseconds, type VpicTables, type WmiRow } from '../../../src/vpic/tables.ts';
import { Collector } from './collect.ts';
import { CopyReader } from './copy.ts';
import { factsOf } from './facts.ts';
import { numberOf, numberOrZero } from './numbers.ts';
import { type OnProgress, readSql } from './open.ts';
import { vehicleSpecsOf } from './vehicle-specs.ts';

/** Elements that a pattern may not fill: make, manufacturer, model year and vehicle type have rules of their own. */
const NOT_BY_PATTERN: ReadonlySet<number> = new Set([26, 27, 29, 39]);

/**
 * Reads NHTSA's official download: the plain SQL dump, gzipped, or in its zip archive.
 *
 * @param now WMIs that NHTSA publishes later are kept as not yet published.
 * @throws DumpError when the file is cut short, damaged or something else.
 */
export async function readVpicDump(file: string, now: Date, onProgress: OnProgress = () => {}): Promise<VpicTables> {
  const collector = new Collector();
  const reader = new CopyReader(collector.choose);
  await readSql(file, (bytes) => reader.write(bytes), onProgress);
  reader.end();
  collector.finish();
  return tablesOf(collector, `vPIC, official download ${basename(file)}`, now);
}

function tablesOf(collector: Collector, label: string, now: Date): VpicTables {
  const { rows, lookups } = collector;
  const makes = lookups.get('make') ?? new Map<string, string>();
  const lookupOfElement = new Map<number, string>();
  const byPattern = new Set<number>();
  const elements: VpicTables['elements'] = new Map();
  for (const element of rows.element) {
    const id = numberOf(element.id, 'element id');
    elements.set(id, {
      dataType: element.datatype ?? '',
      group: element.groupname ?? '',
      description: element.description ?? '',
    });
    if (element.lookuptable !== null) lookupOfElement.set(id, element.lookuptable.toLowerCase());
    const open = element.decode !== null && element.isprivate !== 't';
    if (open && !NOT_BY_PATTERN.has(id)) byPattern.add(id);
  }
  return {
    label,
    isReduced: collector.isReduced,
    wmis: wmisOf(collector, makes, now),
    links: linksOf(rows.wmi_vinschema),
    schemas: new Map(
      sortedById(rows.vinschema)
        .filter((schema) => schema.tobeqced !== 't')
        .map((schema) => [numberOf(schema.id, 'vinschema id'), (schema.name ?? '').trim()]),
    ),
    patterns: collector.patterns.columns(byPattern),
    lookupOfElement,
    lookups: lookupsOf(lookups, lookupOfElement),
    elements: new Map([...elements].toSorted(([a], [b]) => a - b)),
    engineModels: new Map(byId(lookups.get('enginemodel')).map(([id, name]) => [numberOf(id, 'enginemodel id'), name])),
    engineModelPatterns: sortedById(rows.enginemodelpattern).map((row) => ({
      id: numberOf(row.id, 'enginemodelpattern id'),
      engineModelId: numberOf(row.enginemodelid, 'enginemodelid'),
      element: numberOf(row.elementid, 'elementid of an engine model'),
      attribute: row.attributeid ?? '',
      changed: microseconds(row.updatedon ?? row.createdon),
    })),
    makeOfModel: new Map(
      sortedById(rows.make_model)
        .toSorted((a, b) => Number(a.modelid) - Number(b.modelid))
        .map((row) => [row.modelid ?? '', makes.get(row.makeid ?? '') ?? '']),
    ),
    vehicleSpecs: vehicleSpecsOf(collector),
    checkDigitExceptions: rows.vinexception
      .filter(({ checkdigit }) => checkdigit === 't')
      .map(({ vin }) => (vin ?? '').trim().toUpperCase())
      .toSorted(),
    facts: factsOf(collector),
  };
}

function sortedById<Row extends { id: string | null }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
}

function lookupsOf(
  lookups: ReadonlyMap<string, Map<string, string>>,
  lookupOfElement: ReadonlyMap<number, string>,
): Map<string, Map<string, string>> {
  const wanted = new Set(lookupOfElement.values());
  const tables = [...lookups].filter(([table]) => wanted.has(table)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(tables.map(([table, names]) => [table, new Map(byId(names))]));
}

function byId(names: ReadonlyMap<string, string> | undefined): [id: string, name: string][] {
  return [...(names ?? [])].toSorted(([a], [b]) => Number(a) - Number(b));
}

function wmisOf({ rows, lookups }: Collector, makes: ReadonlyMap<string, string>, now: Date): WmiRow[] {
  const manufacturers = lookups.get('manufacturer');
  const makesOf = Map.groupBy(
    rows.wmi_make.toSorted((a, b) => Number(a.makeid) - Number(b.makeid)),
    (row) => row.wmiid,
  );
  const today = microseconds(now.toISOString().slice(0, 23));
  return rows.wmi
    .map((row) => ({
      id: numberOf(row.id, 'wmi id'),
      wmi: row.wmi ?? '',
      manufacturer: manufacturers?.get(row.manufacturerid ?? '') ?? '',
      manufacturerId: numberOrZero(row.manufacturerid, 'manufacturerid of a WMI'),
      vehicleType: numberOrZero(row.vehicletypeid, 'vehicletypeid of a WMI'),
      truckType: numberOrZero(row.trucktypeid, 'trucktypeid of a WMI'),
      published: row.publicavailabilitydate !== null && microseconds(row.publicavailabilitydate) <= today,
      makes: (makesOf.get(row.id) ?? []).map((make) => makes.get(make.makeid ?? '') ?? ''),
      country:
        lookups
          .get('country')
          ?.get(row.countryid ?? '')
          ?.trim() ?? '',
      created: dayOf(row.createdon),
      updated: dayOf(row.updatedon),
      available: dayOf(row.publicavailabilitydate),
    }))
    .toSorted((a, b) => (a.wmi < b.wmi ? -1 : 1));
}

function linksOf(rows: Collector['rows']['wmi_vinschema']): VpicTables['links'] {
  return rows
    .map((row) => ({
      wmiId: numberOf(row.wmiid, 'wmiid of a schema'),
      schemaId: numberOf(row.vinschemaid, 'vinschemaid of a WMI'),
      yearFrom: numberOf(row.yearfrom, 'yearfrom of a schema'),
      yearTo: row.yearto === null ? null : numberOf(row.yearto, 'yearto of a schema'),
    }))
    .toSorted((a, b) => a.wmiId - b.wmiId || a.schemaId - b.schemaId || a.yearFrom - b.yearFrom);
}
