import type { VpicFacts } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

import { askedFormat, sendWritten } from './answer.ts';
import { describeList, FormatQuery } from './describe.ts';
import { type Document, type Format, write } from './formats.ts';
import { addList, type Asked } from './list-route.ts';
import {
  makesDocument,
  makesOfTypeDocument,
  modelsDocument,
  typesOfMakeDocument,
  typesOfMakesDocument,
  valuesDocument,
  variablesDocument,
  wmiDocument,
} from './list-documents.ts';
import { addManufacturers } from './manufacturer-lists.ts';
import { addOthers } from './other-lists.ts';
import { Vocabulary } from './vocabulary.ts';

type Query = Static<typeof FormatQuery>;

const Wmi = Type.Object({
  wmi: Type.String({ description: 'A WMI of three or six characters.', examples: ['1HG'] }),
});
const Make = Type.Object({
  make: Type.String({ description: 'A make, or a part of its name, in any case.', examples: ['honda'] }),
});
const MakeId = Type.Object({
  makeId: Type.String({ pattern: '^[0-9]{1,9}$', description: "NHTSA's ID of the make.", examples: ['474'] }),
});
const VehicleType = Type.Object({
  vehicleType: Type.String({ description: 'A type of vehicle, or a part of its name.', examples: ['car'] }),
});
const ModelYear = Type.Object({
  modelyear: Type.String({ pattern: '^(19|20)[0-9]{2}$', description: 'A model year.', examples: ['2015'] }),
});
const Variable = Type.Object({
  variable: Type.String({ description: 'A variable by its number or name.', examples: ['Vehicle Type'] }),
});

/** Adds NHTSA's lists: free, and the same for everybody. */
export function addLists(app: FastifyInstance, facts: VpicFacts): void {
  const vocabulary = new Vocabulary(facts);
  addList(app, {
    path: 'DecodeWMI/:wmi',
    operationId: 'decodeWmi',
    summary: 'Look up a WMI.',
    params: Wmi,
    document: ({ wmi = '' }) => wmiDocument(facts, wmi),
  });
  addList(app, {
    path: 'GetVehicleVariableValuesList/:variable',
    operationId: 'getVehicleVariableValuesList',
    summary: 'List the values of a variable.',
    params: Variable,
    document: ({ variable = '' }) => valuesDocument(vocabulary, variable),
  });
  addManufacturers(app, vocabulary);
  addOthers(app, facts);
  addTypes(app, vocabulary);
  addModels(app, facts, vocabulary);
  addLongLists(app, facts);
}

function addTypes(app: FastifyInstance, vocabulary: Vocabulary): void {
  addList(app, {
    path: 'GetVehicleTypesForMake/:make',
    operationId: 'getVehicleTypesForMake',
    summary: 'List the vehicle types of a make.',
    params: Make,
    document: ({ make = '' }) => typesOfMakesDocument(vocabulary, make),
  });
  addList(app, {
    path: 'GetVehicleTypesForMakeId/:makeId',
    operationId: 'getVehicleTypesForMakeId',
    summary: 'List the vehicle types of a make by its ID.',
    params: MakeId,
    document: ({ makeId = '' }) => typesOfMakeDocument(vocabulary, Number(makeId)),
  });
  addList(app, {
    path: 'GetMakesForVehicleType/:vehicleType',
    operationId: 'getMakesForVehicleType',
    summary: 'List the makes of a vehicle type.',
    params: VehicleType,
    document: ({ vehicleType = '' }) => makesOfTypeDocument(vocabulary, vehicleType),
  });
}

/** How the models of a make may be narrowed down. */
const NARROWINGS = [
  { path: 'modelyear/:modelyear', name: 'Year', words: 'in a model year', properties: ModelYear.properties },
  {
    path: 'vehicleType/:vehicleType',
    name: 'Type',
    words: 'of a vehicle type',
    properties: VehicleType.properties,
  },
  {
    path: 'modelyear/:modelyear/vehicleType/:vehicleType',
    name: 'YearType',
    words: 'in a model year and of a vehicle type',
    properties: { ...ModelYear.properties, ...VehicleType.properties },
  },
];

/** The models of a make by its name and by its number; on request only those of a year, or of a type of vehicle. */
function addModels(app: FastifyInstance, facts: VpicFacts, vocabulary: Vocabulary): void {
  const ofMake = ({ make = '', ...within }: Asked): Document =>
    modelsDocument(facts, vocabulary, vocabulary.makesNamed(make), `Make:${make}`, within);
  const ofId =
    (label: string) =>
    ({ makeId = '', ...within }: Asked): Document =>
      modelsDocument(facts, vocabulary, vocabulary.makeNumbered(Number(makeId)), `${label}:${makeId}`, within);
  const [operation, summary] = ['getModelsForMake', 'List the models of a make'];
  const named = { operationId: operation, summary: `${summary}.`, params: Make, document: ofMake };
  addList(app, { ...named, path: 'GetModelsForMake/:make' });
  const numbered = { summary: `${summary} by its ID.`, params: MakeId, document: ofId('Make') };
  addList(app, { ...numbered, operationId: `${operation}Id`, path: 'GetModelsForMakeId/:makeId' });
  for (const { path, name, words, properties } of NARROWINGS) {
    addList(app, {
      path: `GetModelsForMakeYear/make/:make/${path}`,
      operationId: `${operation}${name}`,
      summary: `${summary} ${words}.`,
      params: Type.Object({ ...Make.properties, ...properties }),
      document: ofMake,
    });
    addList(app, {
      path: `GetModelsForMakeIdYear/makeId/:makeId/${path}`,
      operationId: `${operation}Id${name}`,
      summary: `${summary} by its ID, ${words}.`,
      params: Type.Object({ ...MakeId.properties, ...properties }),
      document: ofId('Make ID'),
    });
  }
}

/** Long, and always the same: written once for each format. */
function addLongLists(app: FastifyInstance, facts: VpicFacts): void {
  for (const [path, operationId, summary, document] of [
    ['GetAllMakes', 'getAllMakes', 'List all makes.', makesDocument],
    ['GetVehicleVariableList', 'getVehicleVariableList', 'List all variables of a decode.', variablesDocument],
  ] as const) {
    const written = new Map<Format, string>();
    app.get<{ Querystring: Query }>(
      `/api/vehicles/${path}`,
      { config: { etag: true }, schema: { ...describeList(operationId, summary), querystring: FormatQuery } },
      (request, reply) => {
        const format = askedFormat(request.query.format);
        const text = written.get(format) ?? write(document(facts), format);
        written.set(format, text);
        return sendWritten(reply, text, format);
      },
    );
  }
}
