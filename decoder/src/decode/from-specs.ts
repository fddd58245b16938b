import { SPEC_RULES, type SpecFieldRule } from '../report/fields.ts';
import { F, type Ledger } from '../settle/ledger.ts';
import { SOURCE } from '../settle/precedence.ts';
import { BY } from '../settle/reasons.ts';
import type { NameRules } from '../settle/name-rules.ts';
import { fuelOfName } from '../settle/wording.ts';
import { EngineCheck } from '../specs/engine-check.ts';
import { Findings, rowOfTable } from '../specs/findings.ts';
import type { SpecJoin } from '../specs/join.ts';
import type { SpecMarket } from '../specs/table.ts';
import { hasValidCheckDigit } from '../vin/check-digit.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { Reading } from './reading.ts';

/** Claims what the tables of specifications say of a vehicle. */
export class SpecClaims {
  readonly #specs: SpecJoin;
  readonly #rules: NameRules;
  readonly #engines: EngineCheck;
  readonly #found = new Findings();
  readonly #others = new Findings();

  constructor(specs: SpecJoin, rules: NameRules) {
    this.#specs = specs;
    this.#rules = rules;
    this.#engines = new EngineCheck(specs.tables, specs.variants);
  }

  /** Claims values of the lists of the vehicle's market, once its engine is checked by them. */
  claim(reading: Reading): void {
    const { ledger, market, codes } = reading;
    if (market !== undefined) this.#checkEngine(ledger, market, codes);
    this.#claimLists(reading);
  }

  /** Claims the values of the market's lists. */
  #claimLists(reading: Reading): void {
    const { ledger, market = 'elsewhere', codes } = reading;
    const found = this.#specs.answers(ledger.known, ledger.openAmong(SPEC_RULES), market, codes, this.#found);
    const dropped = this.#mayBeAmerican(reading, found) ? 'emissionsStandard' : '';
    for (let at = 0; at < found.count; at++) {
      const { field, number } = found.rules[at] as SpecFieldRule;
      if (field === dropped) continue;
      const row = rowOfTable(this.#specs.tables, found.tables[at], found.variants[at] as number);
      ledger.claim(SOURCE.specs, number, found.values[at] as string | number, row);
    }
  }

  /**
   * Returns true if a car that Europe's lists give a standard may have been built for North America, which has others:
   * its check digit is right, and lists of North American cars have its family in that year.
   */
  #mayBeAmerican({ ledger, market, pass, vin, codes }: Reading, found: Findings): boolean {
    if (market !== 'europe' || pass !== null || !hasValidCheckDigit(vin)) return false;
    if (found.of('emissionsStandard') === undefined) return false;
    const open = ledger.openAmong(SPEC_RULES);
    return this.#specs.answers(ledger.known, open, 'north-america', codes, this.#others).count > 0;
  }

  /** Claims values of a list of all engines that contradict a registry's rows. */
  #checkEngine(ledger: Ledger, market: SpecMarket, codes: VinCodes): void {
    const { known } = ledger;
    const { engines, badges } = SOURCE;
    if (this.#engines.contradictsCylinders(known, market, codes)) {
      ledger.drop(engines, F.cylinders, BY.listed);
      ledger.drop(engines, F.configuration, BY.listed);
    }
    if (this.#engines.contradictsTurbo(known, market, codes)) ledger.drop(engines, F.turbo, BY.listed);
    const named = fuelOfName(known, this.#rules);
    if (named !== '') ledger.claim(badges, F.fuelType, named, BY.badge);
    else ledger.claim(engines, F.fuelType, this.#engines.fuelInstead(known, market, codes), BY.listedFuel);
  }
}
