import type { VpicFacts } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

import { addList, type List, openWritten } from './list-route.ts';
import { modelLists, typeLists } from './make-lists.ts';
import { manufacturerLists } from './manufacturer-lists.ts';
import { RESPONSE, RESULTS } from './messages.ts';
import { otherLists } from './other-lists.ts';
import { Vocabulary } from './vocabulary.ts';

const Wmi = Type.Object({
  wmi: Type.String({ description: 'A WMI of three or six characters.', examples: ['1HG'] }),
});
const Variable = Type.Object({
  variable: Type.String({ description: 'A variable by its number or name.', examples: ['Vehicle Type'] }),
});

/** Adds NHTSA's lists: free, and the same for everybody. */
export function addLists(app: FastifyInstance, facts: VpicFacts): void {
  const vocabulary = new Vocabulary(facts);
  const lists = [
    wmiList(facts),
    valuesList(vocabulary),
    ...manufacturerLists(vocabulary),
    ...otherLists(facts),
    ...typeLists(vocabulary),
    ...modelLists(facts, vocabulary),
    makesList(facts),
    variablesList(facts),
  ];
  const written = openWritten();
  for (const list of lists) addList(app, list, written);
}

const wmiList = (facts: VpicFacts): List => ({
  path: 'DecodeWMI/:wmi',
  operationId: 'decodeWmi',
  summary: 'Look up a WMI.',
  params: Wmi,
  document: ({ wmi = '' }) => {
    const found = facts.wmi(wmi.toUpperCase());
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
    return { message: RESULTS, searchCriteria: `WMI:${wmi}`, element: 'DecodedWMI', results };
  },
});

const valuesList = (vocabulary: Vocabulary): List => ({
  path: 'GetVehicleVariableValuesList/:variable',
  operationId: 'getVehicleVariableValuesList',
  summary: 'List the values of a variable.',
  params: Variable,
  document: ({ variable = '' }) => {
    const { name, values } = vocabulary.valuesOf(variable);
    const results = values.map((value) => ({ ElementName: name, Id: value.id, Name: value.name }));
    return { message: RESULTS, searchCriteria: `Variable:${variable}`, element: 'VehicleVariableValues', results };
  },
});

const makesList = (facts: VpicFacts): List => ({
  path: 'GetAllMakes',
  operationId: 'getAllMakes',
  summary: 'List all makes.',
  document: () => {
    const results = facts.makes().map(({ id, name }) => ({ Make_ID: id, Make_Name: name.toUpperCase() }));
    return { message: RESPONSE, searchCriteria: null, element: 'AllVehicleMakes', results };
  },
});

const variablesList = (facts: VpicFacts): List => ({
  path: 'GetVehicleVariableList',
  operationId: 'getVehicleVariableList',
  summary: 'List all variables of a decode.',
  document: () => {
    const shown = facts.elements().filter((element) => element.shown);
    const results = shown.map(({ dataType, description, group, id, name }) => ({
      DataType: dataType,
      Description: description,
      GroupName: group === '' ? null : group,
      ID: id,
      Name: name,
    }));
    return { message: RESULTS, searchCriteria: null, element: 'VehicleVariables', results };
  },
});
