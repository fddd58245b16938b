import type { Draft } from '../report/draft.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { type Criteria, criteriaOf } from './criteria.ts';
import type { DriveNames } from './drive-names.ts';
import { NumberList } from './number-list.ts';
import type { SpecMarket, SpecTable } from './table.ts';
import { NOT_CODED, type SpecTables } from './tables.ts';
import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import type { Variants } from './variants.ts';

/** Fuels that a registry's word may also mean. */
const NEAR_FUELS: ReadonlyMap<string, string> = new Map([
  ['Hybrid', 'Plug-in hybrid'],
  ['Flex fuel', 'Gasoline'],
]);

/** Compares the engine of a reading with the list of all variants that a market has. */
export class EngineCheck {
  readonly #tables: SpecTables;
  readonly #variants: Variants;
  readonly #rows = new NumberList();
  /** The list that overrules a registry's engine, by market. */
  readonly #lists: ReadonlyMap<SpecMarket, SpecTable>;

  constructor(tables: SpecTables, variants: Variants) {
    this.#tables = tables;
    this.#variants = variants;
    const lists = tables.tables.filter(({ overrulesEngine }) => overrulesEngine);
    // Of several lists the first counts.
    this.#lists = new Map(lists.toReversed().map((table) => [table.market, table]));
  }

  /**
   * Returns true if a list of all variants has engines of this size in that family and year, but none with so many
   * cylinders: size and cylinders are of different rows of the registry, and the size is the surer.
   */
  contradictsCylinders(draft: Draft, market: SpecMarket, codes: VinCodes): boolean {
    if (draft.cylinders === 0 || draft.displacementCc === 0) return false;
    const table = this.#tableFor(draft, market);
    if (table === undefined) return false;
    const { cylinders } = table.columns;
    // Nearly always the list has the same, and narrower choice of its rows is spared.
    if (!this.#mayContradict(table, draft)) return false;
    const criteria = openCriteria(draft, codes, this.#tables.driveNames);
    criteria.cylinders = 0;
    const rows = this.#listed(table, draft, criteria);
    return rows.length > 0 && rows.every((row) => cylinders[row] !== 0 && cylinders[row] !== draft.cylinders);
  }

  /**
   * Returns true if a list of all variants has gasoline engines of this size in that family and year, none of them
   * charged.
   */
  contradictsTurbo(draft: Draft, market: SpecMarket, codes: VinCodes): boolean {
    if (!draft.turbo || draft.displacementCc === 0 || draft.fuelType !== 'Gasoline') return false;
    const table = this.#tableFor(draft, market);
    if (table === undefined) return false;
    const criteria = openCriteria(draft, codes, this.#tables.driveNames);
    criteria.charged = false;
    const { charged, fuel } = table.columns;
    const rows = this.#listed(table, draft, criteria);
    return (
      rows.length > 0 &&
      rows.every((row) => charged[row] === 0 && this.#tables.word(fuel[row] as number) === 'Gasoline')
    );
  }

  /**
   * Returns the fuel that a list of all variants has of each car that the reading allows, where the registry's is a
   * near one: it calls a plug-in a hybrid, and engines that burn gasoline only flex fuel. "" where the list confirms
   * the reading, or is not of one fuel.
   */
  fuelInstead(draft: Draft, market: SpecMarket, codes: VinCodes): string {
    const instead = NEAR_FUELS.get(draft.fuelType);
    const table = instead === undefined ? undefined : this.#tableFor(draft, market);
    if (instead === undefined || table === undefined) return '';
    const { fuel } = table.columns;
    const rows = this.#listed(table, draft, openCriteria(draft, codes, this.#tables.driveNames));
    return rows.length > 0 && rows.every((row) => this.#tables.word(fuel[row] as number) === instead) ? instead : '';
  }

  /** Returns the list that overrules a registry's engine of this vehicle; undefined where its market has none. */
  #tableFor({ modelYear }: Draft, market: SpecMarket): SpecTable | undefined {
    return modelYear === 0 ? undefined : this.#lists.get(market);
  }

  /** Returns true if a row of the family of about that year has other cylinders than the vehicle. */
  #mayContradict({ rows, columns }: SpecTable, { make, model, modelYear, cylinders }: Draft): boolean {
    const { key } = this.#tables.family(make, model);
    if (key < 0) return false;
    const { from, to } = columns;
    const year = modelYear - SPEC_FIRST_YEAR;
    const end = rows[key + 1] as number;
    for (let row = rows[key] as number; row < end; row++) {
      const own = columns.cylinders[row] as number;
      if (own === 0 || own === cylinders) continue;
      if ((from[row] as number) <= year + 1 && (to[row] as number) >= year - 1) return true;
    }
    return false;
  }

  #listed(table: SpecTable, { make, model }: Draft, criteria: Criteria): NumberList {
    const rows = this.#rows;
    rows.cut(0);
    const { key } = this.#tables.family(make, model);
    if (key >= 0) this.#variants.gather(table, key, criteria, rows);
    return rows;
  }
}

/** Returns the criteria without those that the engine does not decide: wheels, gearbox and power. */
function openCriteria(draft: Draft, codes: VinCodes, names: DriveNames): Criteria {
  const criteria = criteriaOf(draft, codes, NOT_CODED, names);
  criteria.drive = names.of(draft);
  criteria.gearbox = '';
  criteria.powerKw = 0;
  return criteria;
}
