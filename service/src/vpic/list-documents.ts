import type { VpicFacts, VpicMake, VpicModel, VpicNamed } from '@marque/decoder';

import type { Cell, Document } from './formats.ts';
import { RESPONSE, RESULTS } from './messages.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Which of a make's models are asked for. */
interface Within {
  modelyear?: string;
  vehicleType?: string;
}

export function wmiDocument(facts: VpicFacts, text: string): Document {
  const found = facts.wmi(text.toUpperCase());
  // Common names, parent companies and addresses are not in the catalog.
  const results =
    found?.published !== true
      ? []
      : (found.makes.length === 0 ? [''] : found.makes).map((make) => ({
          CommonName: '',
          CreatedOn: found.createdOn ?? null,
          DateAvailableToPublic: found.availableOn ?? null,
          Make: make.toUpperCase(),
          ManufacturerName: found.manufacturer.name.toUpperCase(),
          ParentCompanyName: '',
          URL: '',
          UpdatedOn: found.updatedOn ?? null,
          VehicleType: found.vehicleType?.name ?? '',
        }));
  return { message: RESULTS, searchCriteria: `WMI:${text}`, element: 'DecodedWMI', results };
}

export function makesDocument(facts: VpicFacts): Document {
  const results = facts.makes().map(({ id, name }) => ({ Make_ID: id, Make_Name: name.toUpperCase() }));
  return { message: RESPONSE, searchCriteria: null, element: 'AllVehicleMakes', results };
}

/** The models of makes; with the type of vehicle where one is asked for. */
export function modelsDocument(
  facts: VpicFacts,
  vocabulary: Vocabulary,
  makes: readonly VpicMake[],
  asked: string,
  { modelyear, vehicleType }: Within = {},
): Document {
  const year = modelyear === undefined ? undefined : Number(modelyear);
  const types = vehicleType === undefined ? [undefined] : vocabulary.typesLike(vehicleType);
  const results = makes.flatMap(({ name }) =>
    types.flatMap((type) => facts.modelsOf(name, { year, type: type?.id }).map((model) => modelResult(model, type))),
  );
  const narrowed = year !== undefined || vehicleType !== undefined;
  const criteria = [
    asked,
    ...(year === undefined ? [] : [`ModelYear:${year}`]),
    ...(vehicleType === undefined ? [] : [`VehicleType:${vehicleType}`]),
  ];
  return {
    message: narrowed ? RESULTS : RESPONSE,
    searchCriteria: criteria.join(' | '),
    element: 'MakeModels',
    results,
  };
}

function modelResult({ id, name, make }: VpicModel, type: VpicNamed | undefined): Record<string, Cell> {
  const result = { Make_ID: make.id, Make_Name: make.name.toUpperCase(), Model_ID: id, Model_Name: name };
  return type === undefined ? result : { ...result, VehicleTypeId: type.id, VehicleTypeName: type.name };
}

/** The types of vehicles of the makes whose names have the text in them. */
export function typesOfMakesDocument(vocabulary: Vocabulary, text: string): Document {
  const ids = new Set(vocabulary.makesLike(text).map(({ id }) => id));
  const results = vocabulary
    .makeTypes()
    .filter(({ make }) => ids.has(make.id))
    .map(makeTypeResult);
  return { message: RESPONSE, searchCriteria: `Make: ${text}`, element: 'VehicleTypesForMake', results };
}

export function typesOfMakeDocument(vocabulary: Vocabulary, makeId: number): Document {
  const results = vocabulary
    .makeTypes()
    .filter(({ make }) => make.id === makeId)
    .map(({ type }) => ({ VehicleTypeId: type.id, VehicleTypeName: type.name }));
  return { message: RESPONSE, searchCriteria: `Make ID: ${makeId}`, element: 'VehicleTypesForMakeIds', results };
}

/** The makes of the types of vehicles whose names have the text in them. */
export function makesOfTypeDocument(vocabulary: Vocabulary, text: string): Document {
  const ids = new Set(vocabulary.typesLike(text).map(({ id }) => id));
  const results = vocabulary
    .makeTypes()
    .filter(({ type }) => ids.has(type.id))
    .map(makeTypeResult);
  return { message: RESPONSE, searchCriteria: `Vehicle Type: ${text}`, element: 'MakesForVehicleType', results };
}

function makeTypeResult({ make, type }: ReturnType<Vocabulary['makeTypes']>[number]) {
  return {
    MakeId: make.id,
    MakeName: make.name.toUpperCase(),
    VehicleTypeId: type.id,
    VehicleTypeName: type.name,
  };
}

export function variablesDocument(facts: VpicFacts): Document {
  const results = facts
    .elements()
    .filter(({ shown }) => shown)
    .map(({ dataType, description, group, id, name }) => ({
      DataType: dataType,
      Description: description,
      GroupName: group === '' ? null : group,
      ID: id,
      Name: name,
    }));
  return { message: RESULTS, searchCriteria: null, element: 'VehicleVariables', results };
}

/** Every value that a variable can have; the variable by its number or name. */
export function valuesDocument(vocabulary: Vocabulary, variable: string): Document {
  const { name, values } = vocabulary.valuesOf(variable);
  const results = values.map((value) => ({ ElementName: name, Id: value.id, Name: value.name }));
  return { message: RESULTS, searchCriteria: `Variable:${variable}`, element: 'VehicleVariableValues', results };
}
