import type { ChooseTable, TakeRow } from './copy.ts';
import { DumpError } from './dump-error.ts';
import { PatternCollector } from './patterns.ts';

/** The columns that are read of each table with a meaning of its own. Tables of `id` and `name` are lookups. */
const COLUMNS = {
  element: [
    'id',
    'name',
    'code',
    'lookuptable',
    'isprivate',
    'decode',
    'datatype',
    'groupname',
    'description',
    'weight',
  ],
  enginemodelpattern: ['id', 'enginemodelid', 'elementid', 'attributeid', 'createdon', 'updatedon'],
  make_model: ['id', 'makeid', 'modelid'],
  pattern: ['id', 'vinschemaid', 'keys', 'elementid', 'attributeid', 'createdon', 'updatedon'],
  vinschema: ['id', 'name', 'tobeqced'],
  wmi: [
    'id',
    'wmi',
    'manufacturerid',
    'vehicletypeid',
    'trucktypeid',
    'countryid',
    'publicavailabilitydate',
    'createdon',
    'updatedon',
  ],
  wmi_make: ['wmiid', 'makeid'],
  wmi_vinschema: ['wmiid', 'vinschemaid', 'yearfrom', 'yearto'],
  vehiclespecschema: ['id', 'makeid', 'vehicletypeid', 'tobeqced'],
  vehiclespecschema_model: ['vehiclespecschemaid', 'modelid'],
  vehiclespecschema_year: ['vehiclespecschemaid', 'year'],
  vspecschemapattern: ['id', 'schemaid'],
  vehiclespecpattern: ['vspecschemapatternid', 'iskey', 'elementid', 'attributeid'],
  vinexception: ['vin', 'checkdigit'],
  defaultvalue: ['elementid', 'vehicletypeid', 'defaultvalue'],
  errorcode: ['id', 'name', 'additionalerrortext', 'weight'],
  vindescriptor: ['descriptor', 'modelyear'],
} as const;

/** Tables that a reduced set of NHTSA's data may lack. */
const REDUCIBLE: ReadonlySet<string> = new Set<Table>([
  'vehiclespecschema',
  'vehiclespecschema_model',
  'vehiclespecschema_year',
  'vspecschemapattern',
  'vehiclespecpattern',
  'vinexception',
  'defaultvalue',
  'errorcode',
  'vindescriptor',
]);

type Table = keyof typeof COLUMNS;
type Row<T extends Table> = Record<(typeof COLUMNS)[T][number], string | null>;
type Rows = { [T in Exclude<Table, 'pattern'>]: Row<T>[] };

/** Tables whose names other tables point to, beside the elements' own lookups. */
const NEEDED_LOOKUPS = ['country', 'enginemodel', 'make', 'manufacturer', 'model', 'vehicletype'] as const;

/** Keeps the parts of a dump's rows that the compiler needs. */
export class Collector {
  readonly patterns = new PatternCollector();
  readonly rows: Rows = {
    element: [],
    enginemodelpattern: [],
    make_model: [],
    vinschema: [],
    wmi: [],
    wmi_make: [],
    wmi_vinschema: [],
    vehiclespecschema: [],
    vehiclespecschema_model: [],
    vehiclespecschema_year: [],
    vspecschemapattern: [],
    vehiclespecpattern: [],
    vinexception: [],
    defaultvalue: [],
    errorcode: [],
    vindescriptor: [],
  };
  /** Names by table and id. */
  readonly lookups = new Map<string, Map<string, string>>();
  readonly #seen = new Set<string>();

  readonly choose: ChooseTable = (table, columns) => {
    this.#seen.add(table);
    if (isOwn(table)) return this.#own(table, columns);
    const [id, name] = [columns.indexOf('id'), columns.indexOf('name')];
    if (id < 0 || name < 0) return undefined;
    const lookup = new Map<string, string>();
    this.lookups.set(table, lookup);
    return (fields) => void lookup.set(fields[id] ?? '', fields[name] ?? '');
  };

  /** @throws DumpError when a table is missing: then it is a dump of something else. */
  finish(): void {
    const needed = [...Object.keys(COLUMNS).filter((table) => !REDUCIBLE.has(table)), ...NEEDED_LOOKUPS];
    const missing = needed.filter((table) => !this.#seen.has(table));
    if (missing.length > 0) {
      throw new DumpError(`This is no vPIC dump: it lacks the tables ${missing.toSorted().join(', ')}.`);
    }
    if (this.patterns.count === 0) throw new DumpError('This dump holds no patterns.');
  }

  /** True if it is a part of NHTSA's data: it lacks the specifications of models. */
  get isReduced(): boolean {
    return this.rows.vehiclespecpattern.length === 0;
  }

  #own(table: Table, columns: readonly string[]): TakeRow {
    const wanted = COLUMNS[table].map((column) => {
      const at = columns.indexOf(column);
      if (at < 0) throw new DumpError(`This dump's table ${table} has no column ${column}. vPIC's form has changed.`);
      return [column, at] as const;
    });
    if (table === 'pattern') {
      const places = wanted.map(([, at]) => at);
      return (fields) => this.patterns.add(places.map((at) => fields[at] ?? null));
    }
    // The names of the row's columns are the requested ones.
    const rows = this.rows[table] as Record<string, string | null>[];
    return (fields) => void rows.push(Object.fromEntries(wanted.map(([column, at]) => [column, fields[at] ?? null])));
  }
}

function isOwn(table: string): table is Table {
  return Object.hasOwn(COLUMNS, table);
}
