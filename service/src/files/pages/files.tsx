import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { FileParts } from '../parts.ts';
import { existing } from '../../people/index.ts';
import { EARLIER_KEY, findKey, tenantOf } from '../../workspaces/index.ts';
import {
  actingIn,
  callerOf,
  type PageRequest,
  recheckIn,
  type WorkspaceContext,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { contentOf } from '../sent-file.ts';
import { contentTypeOf, exportFile, RESULT_FORM_NAMES } from '../export.ts';
import { firstRows, pendingRows, previewFile } from '../preview.ts';
import { removeFile } from '../remove.ts';
import {
  findFile,
  hasRevokedKey,
  keyOfFile,
  listFiles,
  MOST_BYTES,
  MOST_ROWS,
  type NewFile,
  resumeFile,
  takeFile,
  type VinFile,
} from '../store.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import type { Upload } from '../transfer-limits.ts';
import { whileAllowed } from '../../kernel/limits/while-allowed.ts';
import { formStatus, oneLine, wantsPart } from '../../kernel/ui/forms.ts';
import { sendPart } from '../../kernel/ui/html.tsx';
import { FileList, FilePage, FilePart, type FileView, isHeld } from './file-views.tsx';
import { SHOWN_AGAIN, UploadForm, type UploadFields } from './upload-form.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** Endings of files that a result's name does not repeat. */
const FILE_ENDINGS = /\.(?:csv|txt|tsv|jsonl|ndjson|xlsx|parquet)$/i;

const TOO_LARGE = { fault: `The file is larger than ${MOST_BYTES / 1_000_000} MB.` };

/** Adds the pages for files of VINs. */
export async function addFiles(scope: FastifyInstance, deps: FileParts & PageKit): Promise<void> {
  await scope.register(multipart, { limits: { fileSize: MOST_BYTES, files: 1, fields: 5, fieldSize: MOST_BYTES } });
  const routes = workspaceRoutes(scope, deps);

  routes.get('/files', (page) => sendList(deps, page));

  routes.post(
    '/files',
    async (page) => {
      const exchange = { request: page.request.raw, response: page.reply.raw };
      // Before the file is read: reading it is the work.
      const upload = await deps.transfers.receive(tenantOf(callerOf(page.context)), exchange);
      // Sent after the upload has given up its slot: awaiting a reply lasts until the client has read it.
      const send = await takeUpload(deps, page, upload).finally(upload.leave);
      return send();
    },
    { bodyLimit: MOST_BYTES * 2 },
  );

  routes.get('/files/:id', (page) => sendFilePage(deps, page));

  for (const form of RESULT_FORM_NAMES) {
    routes.get(`/files/:id/result.${form}`, async (page) => {
      const { id, name } = await fileOf(deps, page);
      const { workspace } = page.context;
      const plainName = name.replace(FILE_ENDINGS, '').replace(/[^A-Za-z0-9._-]+/g, '-');
      const { database } = deps;
      const recheck = () => recheckIn(database, page.context)(database.kysely);
      const result = deps.transfers.send(tenantOf(callerOf(page.context)), (turn) =>
        whileAllowed(exportFile(database, id, workspace.plan, form, turn), recheck),
      );
      return page.reply
        .header('content-type', contentTypeOf(form))
        .header('content-disposition', `attachment; filename="${plainName}-decoded.${form}"`)
        .send(result);
    });
  }

  routes.post('/files/:id/resume', async (page) => {
    const file = await fileOf(deps, page);
    await resumeFile(deps, file, page.context.person.email);
    deps.files.wake();
    return page.reply.redirect(`${page.context.home}/files/${file.id}`, 303);
  });

  routes.post('/files/:id/remove', async (page) => {
    const { id } = await fileOf(deps, page);
    await removeFile(deps, id);
    return page.reply.redirect(`${page.context.home}/files`, 303);
  });
}

/** Sends the page of a file, or the part of it that changes while it is decoded. */
async function sendFilePage(deps: FileParts & PageKit, page: PageRequest) {
  const file = await fileOf(deps, page);
  const view = await viewOf(deps, page, file);
  if (wantsPart(page.request)) return sendPart(page.reply, <FilePart {...view} />);
  const maker = await makerText(deps, page.context, file);
  const isOver = file.state === 'completed' || file.state === 'stopped';
  return sendPortalPage(page, {
    tab: '/files',
    title: file.name,
    ...(isOver ? {} : { refreshSeconds: 2 }),
    children: <FilePage {...view} keptDays={deps.config.decodeLogRetentionDays} maker={maker} />,
  });
}

/** Returns the data of a file's page: before its first row its cost, later its first results. */
async function viewOf(deps: FileParts & PageKit, page: PageRequest, file: VinFile): Promise<FileView> {
  const { context } = page;
  const { home, limit, workspace } = context;
  const view = { file, home, limit, pending: 0 };
  if (!isHeld(file)) {
    const first = await firstRows(deps.database, file.id, workspace.plan);
    const isKeyRevoked = file.state === 'stopped' && (await hasRevokedKey(deps, file));
    return { ...view, first, isKeyRevoked, pending: await pendingRows(deps.database, file.id) };
  }
  const exchange = { request: page.request.raw, response: page.reply.raw };
  const [preview, { remaining }] = await Promise.all([
    deps.transfers.scan(tenantOf(callerOf(context)), exchange, (turn) => previewFile(deps.database, file.id, turn)),
    deps.meter.peek(callerOf(context)),
  ]);
  return { ...view, first: [], preview, remaining };
}

/** Names the sender of a file: a person by the portal, or a program by the API. */
async function makerText({ database }: FileParts, { workspace }: WorkspaceContext, file: VinFile): Promise<string> {
  const keyId = keyOfFile(file);
  if (keyId === undefined) return `Sent by ${file.createdBy}`;
  if (keyId === '') return 'Sent with a test key';
  const key = await findKey(database, workspace.id, keyId);
  return `Sent with ${key === undefined ? EARLIER_KEY : `the key “${key.name}”`}`;
}

async function fileOf(deps: FileParts & PageKit, { request, context }: PageRequest): Promise<VinFile> {
  return existing(await findFile(deps, context.workspace.id, request.params['id'] ?? ''));
}

/** Takes an upload. @returns the function that sends the page about it. */
async function takeUpload(
  deps: FileParts & PageKit,
  page: PageRequest,
  upload: Upload,
): Promise<() => FastifyReply | Promise<FastifyReply>> {
  const { workspace, person, home } = page.context;
  const sent = await readUpload(upload, page.request);
  if ('fault' in sent) return listLater(deps, page, sent);
  const owner = { workspaceId: workspace.id, createdBy: person.email };
  const taken = await takeFile(actingIn(deps, page.context), { ...owner, isHeld: true, turns: upload, ...sent });
  if (taken.kind === 'conflict') throw new Error('A file without an idempotency key has a conflict.');
  if (taken.kind !== 'taken') {
    const { column, encoding = '', pasted = '' } = sent;
    const refused = { column, encoding, pasted, fault: taken.message };
    return listLater(deps, page, refused, taken.kind === 'full' ? 429 : 422);
  }
  return () => page.reply.redirect(`${home}/files/${taken.id}`, 303);
}

/**
 * Returns a function that sends the list once the upload is over, if its person may still see it, and that keeps nothing
 * of the upload but what the form shows again.
 */
function listLater(...sent: Parameters<typeof sendList>): () => ReturnType<typeof sendList> {
  const [{ database }, { context }] = sent;
  return async () => {
    await recheckIn(database, context)(database.kysely);
    return sendList(...sent);
  };
}

/** Reads the upload from the form: a file, or text that was pasted. */
async function readUpload(
  upload: Upload,
  request: FastifyRequest,
): Promise<(Pick<NewFile, 'name' | 'content' | 'column'> & UploadFields) | RefusedUpload> {
  const sent = { name: '', bytes: new Uint8Array(), column: '', encoding: '', pasted: '' };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        sent.bytes = new Uint8Array(await part.toBuffer());
        sent.name = oneLine(part.filename, 120) || 'file';
      } else if (part.fieldname === 'column') {
        sent.column = oneLine(String(part.value), 120);
      } else if (part.fieldname === 'encoding') {
        sent.encoding = oneLine(String(part.value), 40);
      } else if (part.fieldname === 'pasted') {
        sent.pasted = String(part.value);
      }
    }
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'FST_REQ_FILE_TOO_LARGE' || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return TOO_LARGE;
    // Nothing but the form is read here: a fault of its parser is one of the upload.
    throw new HttpError(400, 'The upload was incomplete. Choose the file again.');
  }
  const { name, bytes, column, encoding, pasted } = sent;
  // A browser sends an empty file when none was chosen.
  if (bytes.length === 0) {
    const again = pasted.length <= SHOWN_AGAIN ? pasted : '';
    return { name: 'Pasted VINs', content: pasted, column, encoding, pasted: again };
  }
  const content: NewFile['content'] = async (mostBytes) => {
    const read = await contentOf({ bytes, column, encoding, mostRows: MOST_ROWS, mostBytes }, upload);
    return read.kind === 'refused' ? read : read.content;
  };
  return { name, content, column, encoding };
}

/** An upload that was refused: what its person typed stays in the form. */
interface RefusedUpload extends UploadFields {
  fault: string;
}

async function sendList(
  deps: FileParts & PageKit,
  page: PageRequest,
  refused?: RefusedUpload,
  status = formStatus(refused?.fault),
) {
  const { home, workspace } = page.context;
  const { files, olderThan } = await listFiles(deps, workspace.id, page.request.query['before']);
  return sendPortalPage(page, {
    tab: '/files',
    title: 'Files',
    status,
    children: (
      <>
        <UploadForm home={home} fault={refused?.fault} typed={refused} mostRows={MOST_ROWS} />
        <FileList files={files} home={home} olderThan={olderThan} />
      </>
    ),
  });
}
