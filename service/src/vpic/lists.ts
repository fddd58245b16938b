import type { VpicFacts } from '@marque/decoder';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';

import { HttpRefusal } from '../http/http-refusal.ts';
import { describeList, type FormatQuery } from './describe.ts';
import { type Document, type Format, formatOf, MEDIA_TYPES, write } from './formats.ts';

const MESSAGE = 'Response returned successfully';

/** The catalog changes with a release only. */
const CACHED = 'public, max-age=3600';

const Wmi = Type.Object({
  wmi: Type.String({ description: 'A WMI of three or six characters.', examples: ['1HG'] }),
});
const Make = Type.Object({ make: Type.String({ description: 'A make, in any case.', examples: ['honda'] }) });

type Query = Static<typeof FormatQuery>;

/** Adds DecodeWMI, GetModelsForMake and GetAllMakes: free, and the same for everybody. */
export function addLists(app: FastifyInstance, facts: VpicFacts): void {
  app.get<{ Params: Static<typeof Wmi>; Querystring: Query }>(
    '/api/vehicles/DecodeWMI/:wmi',
    { schema: { ...describeList('decodeWmi', 'Who builds under a WMI.'), params: Wmi } },
    (request, reply) => send(reply, wmiDocument(facts, request.params.wmi), request.query),
  );
  app.get<{ Params: Static<typeof Make>; Querystring: Query }>(
    '/api/vehicles/GetModelsForMake/:make',
    { schema: { ...describeList('getModelsForMake', 'The models of a make.'), params: Make } },
    (request, reply) => send(reply, modelsDocument(facts, request.params.make), request.query),
  );
  // Long, and always the same: written once for each format.
  const makes = new Map<Format, string>();
  app.get<{ Querystring: Query }>(
    '/api/vehicles/GetAllMakes',
    { schema: describeList('getAllMakes', 'Every make on record.') },
    (request, reply) => {
      const format = askedFormat(request.query.format);
      const text = makes.get(format) ?? write(makesDocument(facts), format);
      makes.set(format, text);
      return reply.header('cache-control', CACHED).type(MEDIA_TYPES[format]).send(text);
    },
  );
}

/**
 * The format that is asked for.
 *
 * @throws HttpRefusal 400 when there is no such format.
 */
export function askedFormat(name: string | undefined): Format {
  const format = formatOf(name);
  if (format === undefined) throw new HttpRefusal(400, 'format must be json, xml or csv.');
  return format;
}

function send(reply: FastifyReply, document: Document, { format: name }: Query): FastifyReply {
  const format = askedFormat(name);
  return reply.header('cache-control', CACHED).type(MEDIA_TYPES[format]).send(write(document, format));
}

function wmiDocument(facts: VpicFacts, text: string): Document {
  const wmi = text.toUpperCase();
  const found = facts.wmi(wmi);
  // What NHTSA has beyond this, such as dates and the parent company, is not in the catalog.
  const results =
    found === undefined
      ? []
      : (found.makes.length === 0 ? [''] : found.makes).map((make) => ({
          CommonName: '',
          CreatedOn: null,
          DateAvailableToPublic: null,
          Make: make.toUpperCase(),
          ManufacturerName: found.manufacturer.toUpperCase(),
          ParentCompanyName: '',
          URL: '',
          UpdatedOn: null,
          VehicleType: found.vehicleType,
        }));
  return { message: MESSAGE, searchCriteria: `WMI:${text}`, element: 'DecodedWMI', results };
}

function modelsDocument(facts: VpicFacts, make: string): Document {
  const results = facts.modelsOf(make).map((model) => ({
    Make_ID: model.make.id,
    Make_Name: model.make.name.toUpperCase(),
    Model_ID: model.id,
    Model_Name: model.name,
  }));
  return { message: MESSAGE, searchCriteria: `Make:${make}`, element: 'MakeModels', results };
}

function makesDocument(facts: VpicFacts): Document {
  const results = facts.makes().map(({ id, name }) => ({ Make_ID: id, Make_Name: name.toUpperCase() }));
  return { message: MESSAGE, searchCriteria: null, element: 'AllVehicleMakes', results };
}
