import { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { type Draft, emptyDraft } from '../report/draft.ts';
import { SPEC_RULES } from '../report/fields.ts';
import { VinCodes } from '../vin/vin-codes.ts';
import { type SpecAnswer, answersIn, Findings } from './findings.ts';
import { SpecJoin } from './join.ts';
import type { SpecMarket } from './table.ts';
import { SpecTables } from './tables.ts';

/** Values that may be known of a car without a VIN: any of a draft. */
export type KnownOfCar = Partial<Draft>;

/** Joins a car as described with the specifications of a catalog: for tests and for checks of the tables. */
export type JoinSpecs = (known: KnownOfCar, market: SpecMarket, vin?: string) => readonly SpecAnswer[];

/** Opens the specifications of a catalog alone. */
export function openSpecs(catalog: Uint8Array): JoinSpecs {
  const container = new Container(catalog);
  const join = new SpecJoin(new SpecTables(container, new Strings(container)));
  const codes = new VinCodes();
  return (known, market, vin = '00000000000000000') => {
    codes.read(vin);
    const draft = { ...emptyDraft(), ...known };
    const open = SPEC_RULES.reduce((bits, { field, bit }) => (draft[field] ? bits : bits | bit), 0);
    return answersIn(join.answers(draft, open, market, codes, new Findings()), market);
  };
}
