import { BODY_STYLES } from '@marque/decoder';
import { type Static, Type } from 'typebox';

import { PLANS } from '../../platform/db/index.ts';
import { nullable, oneOf, optionalText } from '../../platform/http/schemas.ts';

const optionalNumber = (description: string, example: number) =>
  Type.Optional(Type.Number({ description, examples: [example] }));

/** Body of `POST /api/decode`. Fields that are not listed are ignored. */
export const DecodeRequest = Type.Object(
  {
    vin: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The vehicle identification number. Case does not matter; blanks, hyphens and dots between the 17 characters are dropped.',
      examples: ['1HGCM82633A004352'],
    }),
  },
  { $id: 'DecodeRequest', title: 'DecodeRequest', examples: [{ vin: '1HGCM82633A004352' }] },
);

const Specs = Type.Object(
  {
    engine: optionalText('Engine as people write it.', 'V6 (J30A4), gasoline'),
    fuelType: optionalText('Gasoline, Diesel, Electric, Hybrid and so on.', 'Gasoline'),
    transmission: optionalText('Manual or Automatic, with detail where known.', 'Automatic'),
    driveType: optionalText('Which wheels are driven.', 'Front-wheel drive'),
    powerKw: optionalNumber('Power in kilowatts.', 179),
    displacementCc: optionalNumber('Engine displacement in cubic centimetres.', 2998),
    batteryCapacityKwh: optionalNumber('Capacity of the traction battery in kilowatt-hours.', 75),
    emissionsStandard: optionalText('Emissions standard.', 'Euro 6'),
    market: optionalText('Market the vehicle was built for.', 'North America'),
    plantCountry: optionalText('Country of the plant.', 'United States'),
    plantCity: optionalText('City of the plant.', 'Marysville'),
  },
  { description: 'Technical data; only what the VIN settles.' },
);

const TechnicalSpecs = Type.Object(
  {
    lengthMm: optionalNumber('Length in millimetres.', 4813),
    widthMm: optionalNumber('Width in millimetres.', 1816),
    heightMm: optionalNumber('Height in millimetres.', 1450),
    wheelbaseMm: optionalNumber('Wheelbase in millimetres.', 2741),
    curbWeightKg: optionalNumber('Curb weight in kilograms.', 1500),
    grossWeightKg: optionalNumber('Gross weight in kilograms.', 2000),
    groundClearanceMm: optionalNumber('Ground clearance in millimetres.', 150),
    cargoVolumeLiters: optionalNumber('Cargo volume in litres.', 400),
    cargoVolumeMaxLiters: optionalNumber('Cargo volume with seats folded, in litres.', 1200),
  },
  { description: 'Dimensions, weights and volumes of the model or variant; only what is known.' },
);

/** What the VIN itself says, whatever the vehicle is. */
export const SEGMENT_FIELDS: ReadonlySet<string> = new Set([
  'vin',
  'wmi',
  'vds',
  'vis',
  'checkDigit',
  'yearCode',
  'plantCode',
  'serialNumber',
  'validFormat',
]);

/** The vehicle report at full depth. Answers hold nothing that is not listed here. */
export const VehicleReport = Type.Object(
  {
    vin: Type.String({ description: 'The decoded VIN.', examples: ['1HGCM82633A004352'] }),
    wmi: optionalText('World manufacturer identifier, positions 1-3.', '1HG'),
    vds: optionalText('Vehicle descriptor section, positions 4-9.', 'CM8263'),
    vis: optionalText('Vehicle indicator section, positions 10-17.', '3A004352'),
    checkDigit: optionalText('Position 9.', '3'),
    yearCode: optionalText('Position 10.', '3'),
    plantCode: optionalText('Position 11.', 'A'),
    serialNumber: optionalText('Positions 12-17, or 15-17 where the third character is 9.', '004352'),
    validFormat: Type.Optional(
      Type.Boolean({
        description: 'Whether the VIN has the form of ISO 3779. A wrong check digit does not change it.',
      }),
    ),
    manufacturer: optionalText('The make as people say it. Present exactly when the vehicle was identified.', 'Honda'),
    model: optionalText('Model.', 'Accord'),
    modelCode: optionalText("The maker's code of the model or type.", 'CM8'),
    generation: optionalText('Generation of the model.', 'VII'),
    bodyStyle: optionalText('Body style as a label for people.', 'Coupe'),
    bodyStyleNormalized: Type.Optional(
      oneOf(
        BODY_STYLES,
        'Body style for programs. unknown: not determined; other: known but in none of the categories.',
        'coupe',
      ),
    ),
    modelYear: optionalText('Model year.', '2003'),
    trim: optionalText('Trim level.', 'EX-V6'),
    vehicleType: optionalText('Kind of vehicle.', 'Passenger car'),
    plant: optionalText('Plant, as city and country as far as known.', 'Marysville, United States'),
    region: optionalText('Region that the WMI was assigned to.', 'North America'),
    possibleBodyStyles: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The body styles that remain possible where the VIN does not settle one.',
      }),
    ),
    specs: Type.Optional(Specs),
    technicalSpecs: Type.Optional(TechnicalSpecs),
  },
  {
    $id: 'VehicleReport',
    title: 'VehicleReport',
    description: 'What the VIN says of the vehicle. Fields without a value are left out.',
  },
);

/** What is left of the month's decodes. */
export const UsageInfo = Type.Object(
  {
    limit: nullable(Type.Integer({ description: 'Decodes in the current month; null: no limit.', examples: [100] })),
    remaining: nullable(Type.Integer({ description: 'Decodes left in the month; null: no limit.', examples: [99] })),
    resetAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the next month begins (UTC).',
        examples: ['2026-12-01T00:00:00.000Z'],
      }),
    ),
  },
  { $id: 'UsageInfo', title: 'UsageInfo' },
);

/** Metadata of an answer to a key. */
export const DecodeMetadata = Type.Object(
  {
    plan: oneOf(PLANS, 'Plan of the key.', 'free'),
    upgradeAvailable: Type.Boolean({ description: 'Whether there is a plan above this one.' }),
    premiumFieldsAvailable: Type.Integer({
      description:
        'How many fields beyond the basic ones have a value for this vehicle, whether or not the plan shows them.',
    }),
  },
  { description: 'Only in answers to a request with a key.' },
);

/** Body of a decode's 200. */
export const DecodeResponse = Type.Object(
  {
    report: Type.Unsafe<object>({ $ref: 'VehicleReport#' }),
    usage: Type.Unsafe<object>({ $ref: 'UsageInfo#' }),
    metadata: Type.Optional(DecodeMetadata),
  },
  { $id: 'DecodeResponse', title: 'DecodeResponse' },
);

/** Body of a 202: the VIN is valid, and what it says needs a slower look outside. */
export const EnrichmentPendingResponse = Type.Object(
  {
    status: Type.Literal('enrichment_pending'),
    retryAfterSeconds: Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'When to send the same request again.',
      examples: [3],
    }),
    usageCharged: Type.Literal(false, { description: 'This answer is free; the one with the report is charged.' }),
    usage: Type.Unsafe<Static<typeof UsageInfo>>({ $ref: 'UsageInfo#' }),
  },
  { $id: 'EnrichmentPendingResponse', title: 'EnrichmentPendingResponse' },
);

/** Body of a 429 of the monthly limit. */
export const RateLimitErrorResponse = Type.Object(
  {
    error: Type.String({
      description: 'What went wrong, for people.',
      examples: ['The monthly limit of 100 decodes is reached. It starts again next month, or rises with the plan.'],
    }),
    limit: Type.Optional(nullable(Type.Integer())),
    remaining: Type.Optional(nullable(Type.Integer({ description: '0 when the limit is reached.' }))),
    resetAt: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
  },
  { $id: 'RateLimitErrorResponse', title: 'RateLimitErrorResponse' },
);
