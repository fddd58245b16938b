import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';

import type { BatchQueue } from '../batch/queue.ts';
import { depthOf } from '../depth.ts';
import { refusalOf, setMeteredHeaders, sendExhausted } from '../usage-answer.ts';
import { callerOf, authenticate } from '../../workspaces/index.ts';
import { readFields } from '../../kernel/http/form-body.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { inTurn } from '../../kernel/http/in-turn.ts';
import { type AskedVin, readClientKey, yearOf } from './asked.ts';
import type { DecodeParts } from '../parts.ts';
import { decodeMany, type VpicItem } from './decode-many.ts';
import { describeDecode, FormatQuery, VpicResponse } from './describe.ts';
import { decodeMessage, type Document, type Format, MEDIA_TYPES, write } from './formats.ts';
import { addLists } from './lists.ts';
import { askedFormat } from './list-route.ts';
import { Variables } from './variables.ts';

/** NHTSA's own limit. */
const MOST_VINS = 50;

/** Characters of what stands for a model year, such as `2003`, `unknown` or a day: more of them are another VIN. */
const MOST_YEAR = 10;

const FORM = 'application/x-www-form-urlencoded';
const NO_FORM = new HttpError(415, `Send the VINs as a form with the header Content-Type: ${FORM}.`);

const Params = Type.Object({
  vin: Type.String({
    description: 'The VIN, or at least its first three characters. Write * for each character that you do not know.',
    examples: ['1HGCM82633A004352'],
  }),
});

const API_KEY = Type.Optional(
  Type.String({ description: 'A key, for clients that cannot set a header: addresses are kept in many places.' }),
);

const BatchQuery = Type.Object({ ...FormatQuery.properties, api_key: API_KEY });

const DecodeQuery = Type.Object({
  ...BatchQuery.properties,
  modelyear: Type.Optional(
    Type.String({
      description: 'The model year, if you know it. Anything that is not a year is ignored.',
      examples: ['2003'],
    }),
  ),
});

const BatchForm = Type.Object({
  DATA: Type.String({
    description: `Up to ${MOST_VINS} VINs, separated by semicolons. Each can be followed by a comma and its model year.`,
    examples: ['1HGCM82633A004352,2003;5UXWX7C5*BA'],
  }),
  format: Type.Optional(Type.String({ description: 'json, xml, or csv. The default is XML.', examples: ['json'] })),
});

/** Adds NHTSA's methods. They need the schemas of `POST /api/decode`. */
export function addVpic(app: FastifyInstance, deps: DecodeParts, queue: BatchQueue): void {
  app.addSchema(VpicResponse);
  const variables = new Variables(deps.decoder.vpicFacts);
  for (const extended of [false, true]) {
    const suffix = extended ? 'Extended' : '';
    const what = extended ? ', with crash statistics' : '';
    addDecode(
      app,
      deps,
      `DecodeVin${suffix}`,
      `Decode a VIN into a list of variables${what}.`,
      (vin, [item], depth) => ({
        searchCriteria: `VIN:${vin}`,
        element: 'DecodedVariable',
        order: ['VariableId', 'Variable', 'ValueId', 'Value'],
        results: item === undefined ? [] : variables.list(item, depth, extended),
      }),
    );
    const flat = flatShape(variables, 'VIN(s): ');
    addDecode(app, deps, `DecodeVinValues${suffix}`, `Decode a VIN into one flat result${what}.`, flat);
  }
  addForm(app, deps, queue, variables);
  addLists(app, deps.decoder.vpicFacts, deps);
}

/** Shapes an answer but for its message, which is the same for all. */
type Shape = (vin: string, items: readonly VpicItem[], depth: ReturnType<typeof depthOf>) => Omit<Document, 'message'>;

/** Writes one flat result for each VIN; `label` goes before the VIN in the criteria, undefined: they are empty. */
function flatShape(variables: Variables, label?: string): Shape {
  return (vin, items, depth) => ({
    searchCriteria: label === undefined ? '' : `${label}${vin}`,
    element: 'DecodedVINValues',
    results: items.map((item) => variables.flat(item, depth)),
  });
}

function addDecode(app: FastifyInstance, deps: DecodeParts, method: string, summary: string, shape: Shape): void {
  const operationId = `vpic${method}`;
  app.get<{ Params: Static<typeof Params>; Querystring: Static<typeof DecodeQuery> }>(
    `/api/vehicles/${method}/:vin`,
    {
      // A decode is charged for its answer, and HEAD has none.
      exposeHeadRoute: false,
      onRequest: [readClientKey, authenticate(deps.access)],
      schema: {
        ...describeDecode(operationId, summary),
        params: Params,
        querystring: DecodeQuery,
      },
    },
    async (request, reply) => {
      const asked = { text: request.params.vin, modelYear: yearOf(request.query.modelyear) };
      const send = await answer(deps, request, reply, [asked], askedFormat(request.query.format), shape);
      return send();
    },
  );
}

/** Adds the batch, which comes as a form that no other route of the API accepts: a separate scope reads it. */
function addForm(app: FastifyInstance, deps: DecodeParts, queue: BatchQueue, variables: Variables): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, inTurn(readForm));
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(NO_FORM));
    scope.post<{
      Body: Partial<Static<typeof BatchForm>> | null | undefined;
      Querystring: Static<typeof BatchQuery>;
    }>(
      '/api/vehicles/DecodeVINValuesBatch',
      {
        onRequest: [readClientKey, authenticate(deps.access)],
        schema: {
          ...describeDecode('vpicDecodeVinValuesBatch', 'Decode up to 50 VINs.', true),
          querystring: BatchQuery,
          body: { content: { [FORM]: { schema: BatchForm } } },
        },
      },
      async (request, reply) => {
        const form = request.body ?? {};
        const asked = vinsIn(form.DATA ?? '');
        // Some clients send it in the body, others in the URL. Checked before the charge.
        const format = askedFormat(form.format ?? request.query.format);
        const send = await queue.run(callerOf(request), { request, reply, vins: asked.length }, () =>
          answer(deps, request, reply, asked, format, flatShape(variables)),
        );
        return send();
      },
    );
  });
}

/** Reads fields in any case of letters: NHTSA's examples write both `DATA` and `data`. */
function readForm(body: string): { DATA?: string; format?: string } {
  const fields = new Map([...readFields(body)].map(([name, value]) => [name.toLowerCase(), value]));
  const [data, format] = [fields.get('data'), fields.get('format')];
  return { ...(data === undefined ? {} : { DATA: data }), ...(format === undefined ? {} : { format }) };
}

function vinsIn(data: string): AskedVin[] {
  const asked = data.split(';').flatMap((entry) => {
    const [text = '', year, ...rest] = entry.trim().split(',');
    if (rest.some((part) => part.trim() !== '') || (year?.trim().length ?? 0) > MOST_YEAR) {
      throw new HttpError(
        400,
        'An entry of DATA contains more than a VIN and a model year. Separate VINs with semicolons.',
      );
    }
    return text.trim() === '' ? [] : [{ text: text.trim(), modelYear: yearOf(year) }];
  });
  if (asked.length === 0) throw new HttpError(400, 'DATA contains no VIN. Separate VINs with semicolons.');
  if (asked.length > MOST_VINS) {
    throw new HttpError(400, `DATA contains ${asked.length} VINs; at most ${MOST_VINS} can be decoded at once.`);
  }
  return asked;
}

/** Makes an answer. @returns what sends it: awaiting that would last until the client has read it. */
async function answer(
  deps: DecodeParts,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: readonly AskedVin[],
  format: Format,
  shape: Shape,
): Promise<() => FastifyReply> {
  const caller = callerOf(request);
  const outcome = await decodeMany(deps, caller, asked, asked.length === 1 ? () => request.id : deps.newId);
  if (outcome.kind === 'overloaded') throw refusalOf(outcome);
  setMeteredHeaders(reply, deps.decoder.info, outcome.usage);
  if (outcome.kind === 'exhausted') return () => sendExhausted(reply, caller, outcome.usage);
  const [first] = outcome.items;
  if (asked.length === 1 && first?.kind === 'decoded') reply.header('x-request-id', request.id);
  const depth = depthOf(caller.kind === 'subscriber' ? caller.plan : undefined);
  const message = decodeMessage(deps.decoder, depth);
  const document = { message, ...shape(first?.vin ?? '', outcome.items, depth) };
  const body = write(document, format);
  return () => reply.type(MEDIA_TYPES[format]).send(body);
}
