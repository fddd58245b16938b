import { HINT_NAMES, type HintName } from '@marque/decoder';
import { type Static, type TSchema, Type } from 'typebox';

import { DecodeMetadata, type UsageInfo } from '../schemas.ts';

const WORDS: Readonly<Record<HintName, readonly [description: string, example: string | number]>> = {
  modelYear: ['The model year.', 2012],
  registrationYear: ['The year of the first registration.', 2012],
  fuelType: ['The fuel, in usual words.', 'Diesel'],
  displacementCc: ['The displacement, cc.', 1598],
  powerKw: ['The power, kW.', 77],
  bodyStyleNormalized: ['The body style, as reports have it.', 'hatchback'],
  driveType: ['The driven wheels, in usual words.', 'Front-wheel drive'],
  transmission: ['Manual or Automatic.', 'Manual'],
  market: ['Europe or North America.', 'Europe'],
};

/** What is known of the vehicle beside its VIN. Numbers may be sent as text. */
const Hints = Type.Object(Object.fromEntries(HINT_NAMES.map((name) => [name, hint(...WORDS[name])])), {
  description: 'What is known of the vehicle beside its VIN. A hint narrows what is open and never overrules the VIN.',
});

function hint(description: string, example: string | number): TSchema {
  return Type.Optional(Type.Union([Type.String(), Type.Number()], { description, examples: [example] }));
}

/** Body of `POST /api/decode/candidates`. */
export const CandidatesRequest = Type.Object(
  {
    vin: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The VIN as `POST /api/decode` takes it; or its first characters, at least 11, with * for each that is not known or not to be sent.',
      examples: ['WVWZZZ1KZCW000001'],
    }),
    hints: Type.Optional(Hints),
  },
  {
    $id: 'CandidatesRequest',
    title: 'CandidatesRequest',
    examples: [{ vin: 'WVWZZZ1KZCW000001', hints: { powerKw: 77 } }],
  },
);

/** A field that stays open. */
export const OpenField = Type.Object({
  field: Type.String({ description: 'Path of the field in the report.', examples: ['specs.powerKw'] }),
  candidates: Type.Array(Type.Union([Type.String(), Type.Number()]), {
    description: 'The values that remain possible, the likeliest first.',
    examples: [[77, 103]],
  }),
  settledBy: Type.Array(Type.String(), {
    description: 'What would settle it, for people.',
    examples: [['power in kW, in the registration document']],
  }),
});

/** Body of its 200. */
export const CandidatesResponse = Type.Object(
  {
    report: Type.Unsafe<object>({ $ref: 'VehicleReport#' }),
    open: Type.Array(OpenField, { description: 'The fields that neither the VIN nor the hints settle.' }),
    conflicts: Type.Array(Type.String(), {
      description: 'Names of hints that contradict the VIN. They were ignored.',
    }),
    usage: Type.Unsafe<Static<typeof UsageInfo>>({ $ref: 'UsageInfo#' }),
    metadata: DecodeMetadata,
  },
  { $id: 'CandidatesResponse', title: 'CandidatesResponse' },
);
