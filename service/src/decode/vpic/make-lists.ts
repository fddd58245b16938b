import type { VpicFacts, VpicMake, VpicModel, VpicNamed } from '@marque/decoder';
import { Type } from 'typebox';

import { type Document, RESPONSE, RESULTS } from './formats.ts';
import type { Asked, List } from './list-route.ts';
import type { MakeOfType, Vocabulary } from './vocabulary.ts';

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

/** Returns the lists of types of vehicles, and of makes by type. */
export function typeLists(vocabulary: Vocabulary): List[] {
  const found = (isWanted: (pair: MakeOfType) => boolean): MakeOfType[] => vocabulary.makeTypes().filter(isWanted);
  return [
    {
      path: 'GetVehicleTypesForMake/:make',
      summary: 'List the vehicle types of a make.',
      params: Make,
      document: ({ make: text = '' }) => {
        const ids = new Set(vocabulary.makesLike(text).map(({ id }) => id));
        const results = found(({ make }) => ids.has(make.id)).map(makeTypeResult);
        return { message: RESPONSE, searchCriteria: `Make: ${text}`, element: 'VehicleTypesForMake', results };
      },
    },
    {
      path: 'GetVehicleTypesForMakeId/:makeId',
      summary: 'List the vehicle types of a make by its ID.',
      params: MakeId,
      document: ({ makeId }) => {
        const id = Number(makeId);
        const types = found(({ make }) => make.id === id);
        const results = types.map(({ type }) => ({ VehicleTypeId: type.id, VehicleTypeName: type.name }));
        return { message: RESPONSE, searchCriteria: `Make ID: ${id}`, element: 'VehicleTypesForMakeIds', results };
      },
    },
    {
      path: 'GetMakesForVehicleType/:vehicleType',
      summary: 'List the makes of a vehicle type.',
      params: VehicleType,
      document: ({ vehicleType: text = '' }) => {
        const ids = new Set(vocabulary.typesLike(text).map(({ id }) => id));
        const results = found(({ type }) => ids.has(type.id)).map(makeTypeResult);
        return { message: RESPONSE, searchCriteria: `Vehicle Type: ${text}`, element: 'MakesForVehicleType', results };
      },
    },
  ];
}

function makeTypeResult({ make, type }: MakeOfType) {
  return { MakeId: make.id, MakeName: make.name.toUpperCase(), VehicleTypeId: type.id, VehicleTypeName: type.name };
}

/** The filters of a make's models. */
const NARROWINGS = [
  { path: 'modelyear/:modelyear', name: 'Year', words: 'in a model year', properties: ModelYear.properties },
  { path: 'vehicleType/:vehicleType', name: 'Type', words: 'of a vehicle type', properties: VehicleType.properties },
  {
    path: 'modelyear/:modelyear/vehicleType/:vehicleType',
    name: 'YearType',
    words: 'in a model year and of a vehicle type',
    properties: { ...ModelYear.properties, ...VehicleType.properties },
  },
];

/** Returns the models of a make, by its name or ID; on request only those of a year or a vehicle type. */
export function modelLists(facts: VpicFacts, vocabulary: Vocabulary): List[] {
  const ofMake = (asked: Asked): Document => {
    const { make = '' } = asked;
    return modelsDocument(facts, vocabulary, vocabulary.makesNamed(make), `Make:${make}`, asked);
  };
  const ofId =
    (label: string) =>
    (asked: Asked): Document => {
      const { makeId = '' } = asked;
      return modelsDocument(facts, vocabulary, vocabulary.makeNumbered(Number(makeId)), `${label}:${makeId}`, asked);
    };
  const summary = 'List the models of a make';
  return [
    {
      path: 'GetModelsForMake/:make',
      summary: `${summary}.`,
      params: Make,
      document: ofMake,
    },
    {
      path: 'GetModelsForMakeId/:makeId',
      summary: `${summary} by its ID.`,
      params: MakeId,
      document: ofId('Make'),
    },
    ...NARROWINGS.flatMap(({ path, name, words, properties }): List[] => [
      {
        path: `GetModelsForMakeYear/make/:make/${path}`,
        operationId: `getModelsForMake${name}`,
        summary: `${summary} ${words}.`,
        params: Type.Object({ ...Make.properties, ...properties }),
        document: ofMake,
      },
      {
        path: `GetModelsForMakeIdYear/makeId/:makeId/${path}`,
        operationId: `getModelsForMakeId${name}`,
        summary: `${summary} by its ID, ${words}.`,
        params: Type.Object({ ...MakeId.properties, ...properties }),
        document: ofId('Make ID'),
      },
    ]),
  ];
}

/** Returns the models of makes, with the vehicle type if one is requested. */
function modelsDocument(
  facts: VpicFacts,
  vocabulary: Vocabulary,
  makes: readonly VpicMake[],
  asked: string,
  { modelyear, vehicleType }: Asked,
): Document {
  const year = modelyear === undefined ? undefined : Number(modelyear);
  const types = vehicleType === undefined ? [undefined] : vocabulary.typesLike(vehicleType);
  const results = makes.values().flatMap(({ name }) =>
    types.values().flatMap((type) =>
      facts
        .modelsOf(name, { year, type: type?.id })
        .values()
        .map((model) => modelResult(model, type)),
    ),
  );
  const narrowed = [
    ...(year === undefined ? [] : [`ModelYear:${year}`]),
    ...(vehicleType === undefined ? [] : [`VehicleType:${vehicleType}`]),
  ];
  return {
    message: narrowed.length > 0 ? RESULTS : RESPONSE,
    searchCriteria: [asked, ...narrowed].join(' | '),
    element: 'MakeModels',
    results,
  };
}

function modelResult({ id, name, make }: VpicModel, type: VpicNamed | undefined) {
  const result = { Make_ID: make.id, Make_Name: make.name.toUpperCase(), Model_ID: id, Model_Name: name };
  return type === undefined ? result : { ...result, VehicleTypeId: type.id, VehicleTypeName: type.name };
}
