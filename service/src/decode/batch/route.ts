import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';

import { type Caller, callerOf, authenticate } from '../../workspaces/index.ts';
import { idempotencyKeyHeader, markReplay, REPLAY_HEADER } from '../../metering/index.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { errorAnswers } from '../../kernel/http/schemas.ts';
import type { NextTurn } from '../../kernel/limits/loop-turns.ts';
import { depthOf, planMetadata } from '../depth.ts';
import { decodeManyFor, type BatchOutcome } from '../metered.ts';
import type { DecodeParts } from '../parts.ts';
import {
  exhaustedAnswer,
  METERED_HEADERS,
  refusalOf,
  setMeteredHeaders,
  sendExhausted,
  usageInfo,
} from '../usage-answer.ts';
import { batchRequest, inTurns, lineOf } from './lines.ts';
import { type BatchQueue, turnsOf } from './queue.ts';
import { BatchEnd, BatchRequest, BatchResponse, BatchResult, MOST_VINS_PUBLIC } from './schemas.ts';

/** A thousand VINs of the length that a single decode allows, quoted. */
const BODY_LIMIT = 131_072;

const NDJSON = 'application/x-ndjson';

const RESULT = { $ref: 'BatchResult#' };
const END = { $ref: 'BatchEnd#' };

/** Adds `POST /api/decode/batch`. It needs the schemas of `POST /api/decode`. */
export function addBatch(app: FastifyInstance, deps: DecodeParts, queue: BatchQueue): void {
  for (const schema of [BatchRequest, BatchResult, BatchResponse, BatchEnd]) app.addSchema(schema);
  app.post<{ Body: Static<typeof BatchRequest> }>(
    '/api/decode/batch',
    { onRequest: authenticate(deps.access), bodyLimit: BODY_LIMIT, schema: describeBatch() },
    async (request, reply) => {
      const caller = callerOf(request);
      const { vins } = request.body;
      refuseTooMany(caller, vins.length);
      const idempotencyKey = request.headers['idempotency-key']?.toString();
      const answer = async (): Promise<Send> => {
        const turn = turnsOf(deps, caller);
        const asked = await batchRequest(vins, deps.newId, idempotencyKey, turn);
        const outcome = await decodeManyFor(deps, caller, asked);
        if (outcome.kind !== 'settled' && outcome.kind !== 'exhausted') throw refusalOf(outcome);
        setMeteredHeaders(reply, deps.decoder.info, outcome.usage);
        if (outcome.kind === 'exhausted') return () => sendExhausted(reply, caller, outcome.usage);
        if (outcome.isReplay) markReplay(reply);
        const asLines = request.headers.accept?.includes(NDJSON) === true;
        return batchAnswer(reply, { caller, vins, asLines, turn }, outcome);
      };
      const send = await queue.run(caller, { request, reply, vins: vins.length }, answer);
      return send();
    },
  );
}

function refuseTooMany(caller: Caller, count: number): void {
  if (caller.kind === 'subscriber' || count <= MOST_VINS_PUBLIC) return;
  throw new HttpError(
    400,
    `Without an API key, a batch can have at most ${MOST_VINS_PUBLIC} VINs; this one has ${count}. Send fewer, or use a key.`,
  );
}

/** Sends a finished answer. Awaiting it would last until the client has read the answer. */
type Send = () => FastifyReply;

/** Writes the results. Each goes through its schema's serializer, which drops fields that the schema does not list. */
async function batchAnswer(
  reply: FastifyReply,
  { caller, vins, asLines, turn }: { caller: Caller; vins: readonly string[]; asLines: boolean; turn: NextTurn },
  { items, usage }: Extract<BatchOutcome, { kind: 'settled' }>,
): Promise<Send> {
  const plan = caller.kind === 'subscriber' ? caller.plan : undefined;
  const depth = depthOf(plan);
  const write = reply.compileSerializationSchema(RESULT);
  const end = reply.compileSerializationSchema(END)({
    charged: items.filter(({ kind }) => kind === 'decoded').length,
    usage: usageInfo(usage),
    ...(plan === undefined ? {} : { metadata: planMetadata(plan) }),
  });
  const results: string[] = [];
  await inTurns(
    items,
    (item, index) => results.push(write(lineOf(vins[index] ?? '', item, depth, plan !== undefined))),
    turn,
  );
  const body = asLines
    ? Buffer.from([...results, end, ''].join('\n'))
    : `{"results":[${results.join(',')}],${end.slice(1)}`;
  return () => reply.type(asLines ? NDJSON : 'application/json').send(body);
}

function describeBatch() {
  return {
    tags: ['decode'],
    operationId: 'decodeBatch',
    summary: 'Decode a batch of VINs.',
    description: `Returns a result for every VIN, in the order of the request, with the fields of your plan. An invalid VIN gets an error and does not affect the others. Only decoded VINs are charged. If the batch reaches the monthly limit, the first VINs are decoded and the rest are marked \`limit_reached\`. With \`Accept: ${NDJSON}\`, each result is a line, and the last line has the counts and the usage.`,
    security: [{}, { apiKey: [] }, { bearer: [] }],
    headers: idempotencyKeyHeader('you get the same answer and are charged once'),
    body: Type.Unsafe<object>({ $ref: 'BatchRequest#' }),
    response: {
      200: answersOf({ ...METERED_HEADERS, ...REPLAY_HEADER }),
      429: exhaustedAnswer('The monthly limit is reached. None of the VINs was decoded.'),
      ...errorAnswers(
        { 400: 'The body is not JSON, or has no list of VINs or too many.' },
        [401, 409, 413, 415, 422, 500, 503],
      ),
    },
  };
}

function answersOf(headers: Record<string, TSchema>) {
  return {
    description: 'A result for every VIN.',
    headers,
    content: {
      'application/json': { schema: { $ref: 'BatchResponse#' } },
      [NDJSON]: { schema: { anyOf: [RESULT, END] } },
    },
  };
}
