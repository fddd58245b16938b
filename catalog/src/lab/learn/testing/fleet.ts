import type { LabeledVin } from '../../../labels/labeled.ts';
import { randomNumbers } from '../../random.ts';

/** Model codes of a maker in tests only, at positions 4-5; position 7 is the body. */
export const MODELS = [
  'Rocket',
  'Anvil',
  'Bucket',
  'Comet',
  'Dynamo',
  'Ember',
  'Falcon',
  'Glacier',
  'Harbor',
  'Icicle',
];
const BODIES = { S: 'sedan', K: 'wagon' } as const;
const CODES = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

/**
 * Labeled cars of the maker with the WMI ZZA: model at 4-5, body at 7, chance at 6 and 8, a year of 2001 to 2009 at 10,
 * a plant at 11. A share of them has another model's label.
 */
export function fleet(cars: number, wrongShare: number, seed = 1): LabeledVin[] {
  const random = randomNumbers(seed);
  const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(random() * from.length)] as T;
  return Array.from({ length: cars }, (_, index) => {
    const model = Math.floor(random() * MODELS.length);
    const body = pick(['S', 'K'] as const);
    const year = 1 + Math.floor(random() * 9);
    const code = `R${CODES.charAt(model)}${pick('12345')}${body}${pick('ABC')}`;
    const vin = `ZZA${code}0${year}${pick('WX')}${String(index).padStart(6, '0')}`;
    const labeled = random() < wrongShare ? pick(MODELS) : MODELS[model];
    return {
      vin,
      expected: {
        manufacturer: 'Acme',
        model: labeled ?? '',
        modelYear: String(2000 + year),
        bodyStyleNormalized: BODIES[body],
      },
      yearBasis: 'model-year',
    };
  });
}
