import type { LabelledVin } from '@marque/catalog';
import { type Decoder, readVin } from '@marque/decoder';

import type { Database } from '../kernel/db/index.ts';
import { LiveOverrides } from './live-overrides.ts';
import { mergeFields } from './apply.ts';

type Label = LabelledVin['expected'];

const TEXTS = {
  manufacturer: 'manufacturer',
  model: 'model',
  generation: 'generation',
  modelYear: 'modelYear',
  bodyStyleNormalized: 'bodyStyleNormalized',
  'specs.fuelType': 'fuelType',
  'specs.driveType': 'driveType',
  'specs.transmission': 'transmission',
} as const satisfies Record<string, keyof Label>;

const NUMBERS = {
  'specs.displacementCc': 'displacementCc',
  'specs.powerKw': 'powerKw',
} as const satisfies Record<string, keyof Label>;

/**
 * The cars whose reports were accepted, labeled with the corrections in force.
 *
 * @param decoder gives the model year, by which patterns apply
 */
export async function labelledByCorrections(
  database: Database,
  decoder: Pick<Decoder, 'decode'>,
): Promise<LabelledVin[]> {
  const rows = await database.kysely
    .selectFrom('correction_reports')
    .select('vin')
    .distinct()
    .where('state', '=', 'accepted')
    .where('vin', 'is not', null)
    .orderBy('vin')
    .execute();
  const live = await LiveOverrides.open(database);
  try {
    return rows.flatMap(({ vin }) => {
      if (vin === null || readVin(vin).kind !== 'vin') return [];
      const covering = live.current().covering(vin, decoder.decode(vin).modelYear);
      const expected = labelOf(mergeFields(covering.map(({ fields }) => fields)));
      return Object.keys(expected).length === 0 ? [] : [{ vin, expected, yearBasis: 'model-year' as const }];
    });
  } finally {
    await live.close();
  }
}

function labelOf(fields: ReturnType<typeof mergeFields>): Label {
  const label: Label = {};
  for (const [path, name] of Object.entries(TEXTS)) {
    const value = fields[path];
    if (typeof value === 'string' || typeof value === 'number') label[name] = String(value);
  }
  for (const [path, name] of Object.entries(NUMBERS)) {
    const value = fields[path];
    if (typeof value === 'number') label[name] = value;
  }
  return label;
}
