import { type TSchema, Type } from 'typebox';

import { errorAnswers } from '../../kernel/http/schemas.ts';
import { exhaustedAnswer, METERED_HEADERS } from '../usage-answer.ts';
import { detailsOf } from './manufacturer-details.ts';

const FORMAT = Type.Optional(
  Type.String({ description: 'json, xml, or csv. The default is XML, as at NHTSA.', examples: ['json'] }),
);

/** Query of every method. */
export const FormatQuery = Type.Object({ format: FORMAT });

const Value = Type.Union([Type.String(), Type.Integer(), Type.Null()]);

/** A list of things with names, such as a manufacturer's types of vehicles. */
const Values = Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean(), Type.Null()])));

/** Body of every answer in JSON. */
export const VpicResponse = Type.Object(
  {
    Count: Type.Integer({ description: 'How many results there are.' }),
    Message: Type.String({ description: "NHTSA's message about the results." }),
    SearchCriteria: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    Results: Type.Array(Type.Record(Type.String(), Type.Union([...Value.anyOf, Values])), {
      description: "The results, in NHTSA's field names.",
    }),
  },
  { $id: 'VpicResponse', title: 'VpicResponse' },
);

const TEXT = { type: 'string' };

function answer(operationId: string, description: string, headers: Record<string, TSchema>) {
  return {
    description,
    headers,
    content: {
      'application/json': { schema: { $ref: 'VpicResponse#' }, example: ANSWERS[operationId] },
      'application/xml': { schema: TEXT },
      'text/csv': { schema: TEXT },
    },
  };
}

/** Describes a metered method. */
export function describeDecode(operationId: string, summary: string, takesForm = false) {
  return {
    tags: ['vpic'],
    operationId,
    summary,
    description:
      "Returns NHTSA's reading of the VIN, in the format of NHTSA's API. Charged like any decode. A partial VIN is charged if it identifies at least the manufacturer. Anything else gets NHTSA's error code and is free. Values that your plan does not include are empty.",
    security: [{}, { apiKey: [] }, { bearer: [] }, { basic: [] }, { apiKeyInQuery: [] }],
    response: {
      200: answer(operationId, 'The results.', METERED_HEADERS),
      429: exhaustedAnswer(),
      ...errorAnswers({ 400: 'The format is unknown, or the batch is empty or too large.' }, [401, 500, 503]),
      ...(takesForm ? errorAnswers({ 413: 'The form is too large.', 415: 'The body is not sent as a form.' }) : {}),
    },
  };
}

/** Describes a list, which is free. */
export function describeList(operationId: string, summary: string) {
  return {
    tags: ['vpic'],
    operationId,
    summary,
    description: "Works like NHTSA's method of the same name, with data from the catalog. Free.",
    response: {
      200: answer(operationId, 'The results.', {}),
      ...errorAnswers({ 400: 'The format is unknown, or a parameter is missing or invalid.' }, [500, 503]),
    },
  };
}

type Result = Readonly<Record<string, unknown>>;

/** A body of an answer. */
interface VpicExample {
  Count: number;
  Message: string;
  SearchCriteria?: string | null;
  Results: readonly Result[];
}

function example(criteria: string | null | undefined, Results: readonly Result[]): VpicExample {
  const known = criteria === undefined ? {} : { SearchCriteria: criteria };
  return { Count: Results.length, Message: 'Results returned successfully', ...known, Results };
}

const VARIABLES = [
  { Value: 'HONDA', ValueId: '474', Variable: 'Make', VariableId: 26 },
  { Value: 'Accord', ValueId: '1861', Variable: 'Model', VariableId: 28 },
  { Value: '2003', ValueId: '', Variable: 'Model Year', VariableId: 29 },
];
const VALUES = [
  {
    BodyClass: 'Coupe',
    DriveType: '',
    ErrorCode: '0',
    Make: 'HONDA',
    Model: 'Accord',
    ModelYear: '2003',
    VIN: '1HGCM82633A004352',
  },
];
const MODEL = { Make_ID: 474, Make_Name: 'HONDA', Model_ID: 1861, Model_Name: 'Accord' };
const TYPED_MODEL = { ...MODEL, VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' };

/** Answers to the examples of NHTSA's methods, by operation: a result or two of each, as the service gives them. */
export const ANSWERS: Readonly<Record<string, VpicExample>> = {
  vpicDecodeVin: example('VIN:1HGCM82633A004352', VARIABLES),
  vpicDecodeVinValues: example('VIN(s): 1HGCM82633A004352', VALUES),
  vpicDecodeVinExtended: example('VIN:1HGCM82633A004352', VARIABLES),
  vpicDecodeVinValuesExtended: example('VIN(s): 1HGCM82633A004352', VALUES),
  decodeWmi: example('WMI:1HG', [
    {
      CommonName: '',
      CreatedOn: '2015-03-26',
      DateAvailableToPublic: '2015-01-01',
      Make: 'HONDA',
      ManufacturerName: 'AMERICAN HONDA MOTOR CO., INC.',
      ParentCompanyName: '',
      URL: '',
      UpdatedOn: null,
      VehicleType: 'Passenger Car',
    },
  ]),
  getVehicleVariableValuesList: example('Variable:Vehicle Type', [
    { ElementName: 'Vehicle Type', Id: 1, Name: 'Motorcycle' },
  ]),
  getWmisForManufacturer: example('Manufacturer: 988 | VehicleType: car', [
    {
      Country: 'UNITED STATES (USA)',
      CreatedOn: '2015-03-27',
      DateAvailableToPublic: '2015-01-01',
      Id: 988,
      Name: 'AMERICAN HONDA MOTOR CO., INC.',
      UpdatedOn: '2015-03-27',
      VehicleType: 'Passenger Car',
      WMI: '19U',
    },
  ]),
  getAllManufacturers: example(null, [
    {
      Country: null,
      Mfr_CommonName: null,
      Mfr_ID: 955,
      Mfr_Name: 'TESLA, INC.',
      VehicleTypes: [
        { IsPrimary: false, Name: 'Passenger Car' },
        { IsPrimary: false, Name: 'Truck' },
        { IsPrimary: false, Name: 'Multipurpose Passenger Vehicle (MPV)' },
      ],
    },
  ]),
  getManufacturerDetails: example(null, [
    detailsOf(988, 'AMERICAN HONDA MOTOR CO., INC.', ['Motorcycle', 'Passenger Car', 'Truck']),
  ]),
  getMakeForManufacturer: example('Manufacturer:988', [
    { Make_ID: 474, Make_Name: 'HONDA', Mfr_Name: 'AMERICAN HONDA MOTOR CO., INC.' },
  ]),
  getMakesForManufacturerAndYear: example('Manufacturer : 988, Year: 2021', [
    { MakeId: 474, MakeName: 'HONDA', MfrId: 988, MfrName: 'AMERICAN HONDA MOTOR CO., INC.' },
  ]),
  getCanadianVehicleSpecifications: example(undefined, [
    {
      Specs: [
        { Name: 'Make', Value: 'ACURA' },
        { Name: 'Model', Value: 'MDX 4DR SUV' },
        { Name: 'MYR', Value: '' },
      ],
    },
  ]),
  getParts: example('', []),
  getEquipmentPlantCodes: example('Year: | Equipment Type: | Report Type: ', []),
  getVehicleTypesForMake: example('Make: honda', [
    { MakeId: 474, MakeName: 'HONDA', VehicleTypeId: 1, VehicleTypeName: 'Motorcycle' },
  ]),
  getVehicleTypesForMakeId: example('Make ID: 474', [{ VehicleTypeId: 1, VehicleTypeName: 'Motorcycle' }]),
  getMakesForVehicleType: example('Vehicle Type: car', [
    { MakeId: 440, MakeName: 'ASTON MARTIN', VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' },
  ]),
  getModelsForMake: example('Make:honda', [MODEL]),
  getModelsForMakeId: example('Make:474', [MODEL]),
  getModelsForMakeYear: example('Make:honda | ModelYear:2015', [MODEL]),
  getModelsForMakeIdYear: example('Make ID:474 | ModelYear:2015', [MODEL]),
  getModelsForMakeType: example('Make:honda | VehicleType:car', [TYPED_MODEL]),
  getModelsForMakeIdType: example('Make ID:474 | VehicleType:car', [TYPED_MODEL]),
  getModelsForMakeYearType: example('Make:honda | ModelYear:2015 | VehicleType:car', [TYPED_MODEL]),
  getModelsForMakeIdYearType: example('Make ID:474 | ModelYear:2015 | VehicleType:car', [TYPED_MODEL]),
  getAllMakes: example(null, [{ Make_ID: 12858, Make_Name: '#1 ALPINE CUSTOMS' }]),
  getVehicleVariableList: example(null, [
    {
      DataType: 'string',
      Description:
        '<p>This field stores any other battery information that does not belong to any of the other battery related fields.</p>',
      GroupName: 'Mechanical / Battery',
      ID: 1,
      Name: 'Other Battery Info',
    },
  ]),
  vpicDecodeVinValuesBatch: example('', VALUES),
  getWmisOfType: example('VehicleType: car', [
    {
      Country: 'UNITED STATES (USA)',
      CreatedOn: '2024-06-25',
      DateAvailableToPublic: '2024-06-25',
      Id: 23465,
      Name: 'Camelot Motors',
      UpdatedOn: null,
      VehicleType: 'Passenger Car',
      WMI: '102',
    },
  ]),
};
