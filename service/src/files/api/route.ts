import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';

import { HttpError } from '../../kernel/http/http-error.ts';
import { answerOf, errorAnswers, KEY_NEEDED, textField } from '../../kernel/http/schemas.ts';
import {
  authenticate,
  recheckKey,
  subscriberOf,
  type Subscriber,
  subjectOf,
  tenantOf,
} from '../../workspaces/index.ts';
import {
  busyAnswer,
  type IdempotencyRefusal,
  idempotencyKeyHeader,
  idempotencyRefusal,
  markReplay,
  withIdempotency,
  REPLAY_HEADER,
} from '../../metering/index.ts';
import { contentTypeOf, exportFile, RESULT_FORM_NAMES, RESULT_FORMS, type ResultForm } from '../export.ts';
import { findFile, isTestFile, makerOf, mostKept, resumeFile, takeFile, type VinFile } from '../store.ts';
import type { NextTurn } from '../../kernel/limits/loop-turns.ts';
import { whileAllowed } from '../../kernel/limits/while-allowed.ts';
import { freeBytes, placedBody } from '../large-body.ts';
import type { FileParts } from '../parts.ts';
import type { Upload } from '../transfer-limits.ts';
import { CSV, NDJSON, PARQUET, type SentBody, tableOfBody, XLSX } from './body.ts';
import { previewTable } from './preview.ts';
import {
  JobPreview,
  type JobQuery,
  jobOf,
  JobQuerystring,
  JobResponse,
  JobResult,
  MOST_JOB_BYTES,
  MOST_JOB_VINS,
} from './schemas.ts';
import { resultLines } from './results.ts';
import { isSameJob } from './same-job.ts';

const MULTIPART = /^multipart\//i;
const NO_FORM = new HttpError(415, 'Send the file itself as the body (with curl: --data-binary @FILE), not in a form.');

const NO_JOB = new HttpError(404, 'There is no such job.');

const Params = Type.Object({ id: Type.String({ description: 'ID of the job.' }) });
type JobRoute = { Params: Static<typeof Params> };

/** Adds `/api/jobs`: VINs that are decoded in the background, up to two hundred thousand. */
export function addJobs(app: FastifyInstance, deps: FileParts): void {
  app.addSchema(JobResponse);
  app.addSchema(JobPreview);
  app.addSchema(JobResult);
  const keyed = [authenticate(deps.access), async (request: FastifyRequest) => void ownerOf(request)];
  const { receive, uploadOf, leave } = admission(deps);
  void app.register(async (scope) => {
    // As bytes: the encoding of a table is detected, no character is replaced, and a large list is parsed in a thread.
    const json = ['application/json', '*'];
    scope.removeContentTypeParser([...json, MULTIPART]);
    scope.addContentTypeParser(MULTIPART, { parseAs: 'buffer' }, (_request, _body, done) => done(NO_FORM));
    for (const type of [...json, NDJSON, CSV, XLSX, PARQUET])
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post<{ Body: unknown; Querystring: JobQuery }>(
      '/api/jobs',
      // Not checked by a schema, which would report each of a hundred thousand faults.
      {
        onRequest: [...keyed, receive],
        preParsing: async (request, _reply, body) => placedBody(body, uploadOf(request)),
        onSend: leave,
        bodyLimit: MOST_JOB_BYTES,
        schema: CREATE,
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        return create(deps, request, reply, uploadOf(request));
      },
    );
  });
  app.get<JobRoute>(
    '/api/jobs/:id',
    { onRequest: keyed, schema: { ...READ, params: Params } },
    async (request, reply) => reply.send(jobOf(await jobIn(deps, request))),
  );
  app.post<JobRoute>(
    '/api/jobs/:id/resume',
    { onRequest: [...keyed, withoutType], schema: { ...RESUME, params: Params } },
    async (request, reply) => {
      await resumeFile(deps, await jobIn(deps, request), makerOf(ownerOf(request)));
      deps.files.wake();
      return reply.code(202).send(jobOf(await jobIn(deps, request)));
    },
  );
  app.get<JobRoute>(
    '/api/jobs/:id/results',
    { onRequest: keyed, schema: { ...RESULTS, params: Params } },
    async (request, reply) => {
      const { id } = await jobIn(deps, request);
      const owner = ownerOf(request);
      const form = formIn(request.headers.accept ?? '');
      const pages = (turn: NextTurn) =>
        form === undefined
          ? resultLines(deps.database, id, owner.plan, turn)
          : exportFile(deps.database, id, owner.plan, form, turn);
      const type = form === undefined ? NDJSON : contentTypeOf(form);
      const recheck = () => recheckKey(deps.access, request);
      return reply.type(type).send(deps.transfers.send(tenantOf(owner), (turn) => whileAllowed(pages(turn), recheck)));
    },
  );
}

/** Returns the hooks that admit the body of a job before it is read, and end its upload. */
function admission({ transfers }: FileParts) {
  const uploads = new WeakMap<FastifyRequest, Upload>();
  return {
    receive: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const exchange = { request: request.raw, response: reply.raw };
      uploads.set(request, await transfers.receive(tenantOf(ownerOf(request)), exchange));
    },
    uploadOf: (request: FastifyRequest): Upload => {
      const upload = uploads.get(request);
      if (upload === undefined) throw new Error('A job came without being admitted.');
      return upload;
    },
    // Not when the answer has been read, which a client can delay.
    leave: async (request: FastifyRequest): Promise<void> => {
      uploads.get(request)?.leave();
      freeBytes(request.body);
    },
  };
}

/** Returns the requested form of a result; undefined: lines of JSON. */
function formIn(accept: string): ResultForm | undefined {
  return RESULT_FORM_NAMES.find((form) => accept.includes(RESULT_FORMS[form].type));
}

async function create(
  deps: FileParts,
  request: FastifyRequest<{ Body: unknown; Querystring: JobQuery }>,
  reply: FastifyReply,
  upload: Upload,
): Promise<FastifyReply> {
  const owner = ownerOf(request);
  const { column = '', encoding = '', dryRun } = request.query;
  const sent = { body: request.body, contentType: request.headers['content-type'] ?? '', column, encoding };
  if (isYes(dryRun)) {
    const mostBytes = mostKept(owner.plan);
    const content = await tableOfBody(upload, sent, mostBytes);
    return reply.send(await previewTable({ content, column, mostBytes }, upload.turn));
  }
  const scope = `job:${subjectOf(owner)}`;
  // Reading it, and unpacking it, may have waited for the turns of others.
  const store: Upload['store'] = (work) =>
    upload.store(async () => {
      await recheckKey(deps.access, request);
      return work();
    });
  const key = request.headers['idempotency-key']?.toString();
  const asked = { upload, sent, plan: owner.plan };
  const outcome = await withIdempotency<{ id: string; isReplay: boolean; kind: 'taken' } | IdempotencyRefusal>(
    deps.idempotency,
    { scope, key, body: partsOf(sent), isSame: ({ outcome: id }) => isSameJob(deps.database, id, asked) },
    async (recordOf) => {
      const taken = await takeFile(deps, {
        workspaceId: owner.workspaceId,
        createdBy: makerOf(owner),
        name: owner.isTest === true ? 'Test job' : 'Job',
        mostRows: MOST_JOB_VINS,
        content: (mostBytes) => tableOfBody(upload, sent, mostBytes),
        column,
        turns: { turn: upload.turn, store },
        idempotency: recordOf && { scope, recordOf },
      });
      if (taken.kind === 'conflict') return { kind: 'under-way' };
      if (taken.kind !== 'taken') throw new HttpError(taken.kind === 'full' ? 429 : 400, taken.message);
      return { ...taken, isReplay: false };
    },
    ({ outcome: id }) => ({ kind: 'taken', id, isReplay: true }),
  );
  if (outcome.kind !== 'taken') throw idempotencyRefusal(outcome);
  if (outcome.isReplay) markReplay(reply);
  deps.files.wake();
  const file = await findFile(deps, owner.workspaceId, outcome.id);
  if (file === undefined) throw NO_JOB;
  return reply.code(202).header('location', `/api/jobs/${file.id}`).send(jobOf(file));
}

/** Returns what a job was sent as, to recognize it when it is sent again. */
function partsOf({ column, encoding, contentType, body }: SentBody): (string | Uint8Array)[] {
  const read = JSON.stringify([column, encoding, contentType]);
  return [`${read}\n`, ...(Buffer.isBuffer(body) ? [body] : [])];
}

function isYes(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true|yes)?$/i.test(value);
}

function ownerOf(request: FastifyRequest): Subscriber {
  return subscriberOf(request, 'Send an API key: a job belongs to its workspace.');
}

/** Returns the job in the address, if it belongs to the caller; a test key cannot see live jobs. */
/** Lets clients that send every request as JSON send no body. */
async function withoutType({ headers }: FastifyRequest): Promise<void> {
  delete headers['content-type'];
}

async function jobIn(deps: FileParts, request: FastifyRequest<JobRoute>): Promise<VinFile> {
  const owner = ownerOf(request);
  const file = await findFile(deps, owner.workspaceId, request.params.id);
  if (file === undefined || isTestFile(file) !== (owner.isTest === true)) throw NO_JOB;
  return file;
}

const SECURITY = { tags: ['jobs'], security: [{ apiKey: [] }, { bearer: [] }] };
const REFUSALS = errorAnswers({ 401: KEY_NEEDED, 404: 'This workspace has no such job.' }, [500, 503]);

const CREATE = {
  ...SECURITY,
  operationId: 'createJob',
  summary: 'Create a job.',
  description: `Accepts up to ${MOST_JOB_VINS.toLocaleString('en-US')} VINs and ${MOST_JOB_BYTES / 1_000_000} MB as \`{"vins": ["…"]}\`, as lines of JSON (\`application/x-ndjson\`), as CSV (\`text/csv\`), or as an .xlsx or Parquet file, and decodes them in the background. Only decoded VINs are charged, each exactly once, even if the service restarts. At the monthly limit, the job stops until you resume it.`,
  headers: idempotencyKeyHeader('you get the same job'),
  body: {
    content: {
      'application/json': {
        schema: Type.Object(
          { vins: Type.Array(Type.String(), { minItems: 1 }) },
          { examples: [{ vins: ['1HGCM82633A004352', 'WVWZZZ1KZ4W000001'] }] },
        ),
      },
      [NDJSON]: { schema: Type.String({ description: 'One VIN per line, as "…" or {"vin": "…"}.' }) },
      [CSV]: { schema: Type.String({ description: 'A table with a column of VINs.' }) },
      // Without a type, as OpenAPI 3.1 has bytes: with `format: binary` orval's client for this route does not compile.
      [XLSX]: {
        schema: Type.Unknown({ description: 'An Excel workbook. Its first sheet with a column of VINs is read.' }),
      },
      [PARQUET]: { schema: Type.Unknown({ description: 'A Parquet file with a column of VINs.' }) },
    },
  },
  querystring: JobQuerystring,
  response: {
    200: answerOf('JobPreview', 'With `dryRun`: what the job would do. Nothing is stored or charged.'),
    202: answerOf('JobResponse', 'The job is stored.', {
      Location: textField('Where to get the state of the job.'),
      ...REPLAY_HEADER,
    }),
    429: busyAnswer('The workspace has as many jobs as it may keep, or sends too many at once or in a short time.'),
    ...REFUSALS,
    ...errorAnswers(
      {
        400: 'The body has no VINs or too many. The message says what to change.',
        415: 'The body is not JSON, lines of JSON, CSV, .xlsx, or Parquet.',
      },
      [409, 413, 422],
    ),
  },
};

const READ = {
  ...SECURITY,
  operationId: 'getJob',
  summary: 'Get the state of a job.',
  description: 'Returns the status of the job, and how many VINs are processed and charged. Free.',
  response: { 200: answerOf('JobResponse', 'The job.'), ...REFUSALS },
};

const RESUME = {
  ...SECURITY,
  operationId: 'resumeJob',
  summary: 'Resume a stopped job.',
  description: 'Continues with the first VIN that was not decoded. Does nothing to a job that is not stopped.',
  response: { 202: answerOf('JobResponse', 'The job.'), ...REFUSALS },
};

const RESULTS = {
  ...SECURITY,
  operationId: 'getJobResults',
  summary: 'Get the results of a job.',
  description:
    'Returns the results so far, in the order of the request: as lines of JSON, like a batch, or as a table if `Accept` has its media type: CSV, .xlsx, or Parquet. The connection is closed if nothing is read from it for a minute, or for a second if the workspace is getting several results and another one waits for a place.',
  response: {
    200: {
      description: 'The results.',
      content: {
        [NDJSON]: { schema: { $ref: 'JobResult#' } },
        [CSV]: { schema: { type: 'string' } },
        [XLSX]: { schema: { type: 'string', format: 'binary' } },
        [PARQUET]: { schema: { type: 'string', format: 'binary' } },
      },
    },
    429: busyAnswer('The workspace is getting too many results at once.'),
    ...REFUSALS,
  },
};
