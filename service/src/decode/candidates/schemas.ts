import { HINT_NAMES, type HintName } from '@marque/decoder';
import { type Static, type TSchema, Type } from 'typebox';

import { DecodeMetadata, type UsageInfo } from '../schemas.ts';

const WORDS: Readonly<Record<HintName, readonly [description: string, example: string | number]>> = {
  modelYear: ['The model year.', 2012],
  registrationYear: ['The year of the first registration.', 2012],
  fuelType: ['The fuel, such as Gasoline or Diesel.', 'Diesel'],
  displacementCc: ['The displacement in cubic centimeters.', 1598],
  powerKw: ['The power in kilowatts.', 77],
  bodyStyleNormalized: ['The body style, as `bodyStyleNormalized` has it.', 'hatchback'],
  driveType: ['The driven wheels, such as Front-wheel drive.', 'Front-wheel drive'],
  transmission: ['Manual or Automatic.', 'Manual'],
  market: ['Europe or North America.', 'Europe'],
};

/** Facts about the vehicle beside its VIN. Numbers may be sent as text. */
const Hints = Type.Object(Object.fromEntries(HINT_NAMES.map((name) => [name, hint(...WORDS[name])])), {
  description:
    'What you know about the vehicle besides its VIN. A hint narrows down what is open. It never overrules the VIN.',
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
        'The VIN in the form that `POST /api/decode` accepts, or at least its first 11 characters, with * for each character that you do not know or do not want to send.',
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
const OpenField = Type.Object({
  field: Type.String({ description: 'The path of the field in the report.', examples: ['specs.powerKw'] }),
  candidates: Type.Array(Type.Union([Type.String(), Type.Number()]), {
    description: 'The values that remain possible, most likely first.',
    examples: [[77, 103]],
  }),
  settledBy: Type.Array(Type.String(), {
    description: 'How to find out, for people.',
    examples: [['power in kW, in the registration document']],
  }),
});

/** An engine that remains possible. Its fields are named as the hints that choose it. */
const Engine = Type.Object({
  fuelType: Type.Optional(Type.String({ examples: ['Diesel'] })),
  displacementCc: Type.Optional(Type.Number({ examples: [1598] })),
  powerKw: Type.Optional(Type.Number({ description: 'Absent: not known, or another power.', examples: [77] })),
});

/** Body of its 200. */
export const CandidatesResponse = Type.Object(
  {
    report: Type.Unsafe<object>({ $ref: 'VehicleReport#' }),
    open: Type.Array(OpenField, { description: 'The fields that neither the VIN nor the hints settle.' }),
    engines: Type.Array(Engine, {
      description:
        'The engines that remain possible, the likeliest first: their fuel, displacement, and power go together. Empty where the engine is settled, or none is known. Send the fields of one as hints to choose it.',
    }),
    conflicts: Type.Array(Type.String(), {
      description:
        'The names of hints that contradict the VIN, another hint, or all possible years. These hints were ignored.',
    }),
    usage: Type.Unsafe<Static<typeof UsageInfo>>({ $ref: 'UsageInfo#' }),
    metadata: DecodeMetadata,
  },
  { $id: 'CandidatesResponse', title: 'CandidatesResponse' },
);
