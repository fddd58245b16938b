import { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { Draft } from '../decode/draft.ts';
import { CODE_OF } from '../vpic/characters.ts';
import { encodeVin, VinCodes } from '../vpic/pass.ts';
import { type SpecAnswer, SpecJoin } from './join.ts';
import { type SpecMarket, SpecTables } from './tables.ts';

/** What may be said of a car without a VIN: any field of a reading. */
export type SaidOfCar = Partial<Omit<Draft, 'clear'>>;

/** Joins a car as described with the specifications of a catalog: for tests and for checks of the tables. */
export type JoinSpecs = (said: SaidOfCar, market: SpecMarket, vin?: string) => readonly SpecAnswer[];

/** Opens the specifications of a catalog alone. */
export function openSpecs(catalog: Uint8Array): JoinSpecs {
  const container = new Container(catalog);
  const join = new SpecJoin(new SpecTables(container, new Strings(container)));
  const codes = new VinCodes();
  return (said, market, vin = '00000000000000000') => {
    encodeVin(vin, CODE_OF, codes);
    return join.answers(Object.assign(new Draft(), said), market, codes.codes);
  };
}
