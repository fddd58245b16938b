import { BODY_STYLES } from '@marque/decoder';
import { Type } from 'typebox';

import { oneOf, optionalText } from '../../platform/http/schemas.ts';

const optionalNumber = (description: string, example: number) =>
  Type.Optional(Type.Number({ description, examples: [example] }));

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
