import { Readable } from 'node:stream';

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { notFound } from '../../features/accounts/guard.ts';
import { textOf } from '../../platform/csv/csv.ts';
import { fileFault } from '../../features/files/kind.ts';
import { exportFile } from '../../features/files/export.ts';
import { firstRows, previewFile } from '../../features/files/preview.ts';
import {
  findFile,
  listFiles,
  MOST_BYTES,
  MOST_ROWS,
  removeFile,
  resumeFile,
  takeFile,
  type VinFile,
} from '../../features/files/store.ts';
import type { BurstLimit } from '../../platform/http/burst.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { wantsPart } from '../../platform/ui/forms.ts';
import { sendPart } from '../../platform/ui/html.tsx';
import {
  callerOf,
  contextOf,
  type PageRequest,
  type PortalDeps,
  type WorkspaceContext,
  type WorkspaceRoute,
} from './context.ts';
import { FileList, FilePage, FilePart, type FileView, isHeld, UploadForm } from './file-views.tsx';
import { sendPortalPage } from './frame.tsx';

const HIDDEN = { schema: { hide: true } };
const TOO_LARGE = { fault: `The file is larger than ${MOST_BYTES / 1_000_000} MB.` };

interface FileRoute {
  Params: { slug: string; id: string };
}

/** A file takes up to a second to take in; nobody sends one every twenty seconds all day. */
const UPLOADS: BurstLimit = { burst: 30, refillMs: 20_000 };

function refuseStorms(seconds: number): void {
  if (seconds === 0) return;
  const headers = { 'retry-after': String(seconds) };
  throw new HttpError(429, `Too many files in a short time. Send the next one in ${seconds} seconds.`, headers);
}

/** Adds the pages for files of VINs. */
export async function addFiles(scope: FastifyInstance, deps: PortalDeps): Promise<void> {
  await scope.register(multipart, { limits: { fileSize: MOST_BYTES, files: 1, fields: 5, fieldSize: MOST_BYTES } });

  const limit = deps.rateLimit('uploads', UPLOADS);

  scope.get<WorkspaceRoute>('/portal/:slug/files', HIDDEN, async (request, reply) =>
    sendList(deps, { request, reply, context: await contextOf(deps, request) }, undefined),
  );

  scope.post<WorkspaceRoute>(
    '/portal/:slug/files',
    { ...HIDDEN, bodyLimit: MOST_BYTES * 2 },
    async (request, reply) => {
      const context = await contextOf(deps, request);
      // Before the file is read: reading it is the work.
      refuseStorms(await limit.take(context.workspace.id, deps.clock()));
      const sent = await readUpload(request);
      if ('fault' in sent) return sendList(deps, { request, reply, context }, sent.fault);
      const { id: workspaceId, slug } = context.workspace;
      const file = { workspaceId, createdBy: context.person.email, isHeld: true, ...sent };
      const taken = await takeFile(deps, file);
      if (taken.kind === 'conflict') throw new Error('A file without an idempotency key met a conflict.');
      if (taken.kind !== 'taken') {
        return sendList(deps, { request, reply, context }, taken.message, taken.kind === 'full' ? 429 : 422);
      }
      return reply.redirect(`/portal/${slug}/files/${taken.id}`, 303);
    },
  );

  scope.get<FileRoute>('/portal/:slug/files/:id', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const file = await fileOf(deps, context.workspace.id, request);
    const view = await viewOf(deps, context, file);
    if (wantsPart(request)) return sendPart(reply, <FilePart {...view} />);
    const isOver = file.state === 'completed' || file.state === 'stopped';
    return sendPortalPage(
      { request, reply, context },
      {
        tab: '/files',
        title: file.name,
        ...(isOver ? {} : { refreshSeconds: 2 }),
        children: <FilePage {...view} keptDays={deps.config.decodeLogRetentionDays} />,
      },
    );
  });

  addFileActs(scope, deps);
}

/** What is done with one file. */
function addFileActs(scope: FastifyInstance, deps: PortalDeps): void {
  scope.get<FileRoute>('/portal/:slug/files/:id/result.csv', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const file = await fileOf(deps, context.workspace.id, request);
    const name = file.name.replace(/\.(?:csv|txt|tsv)$/i, '').replace(/[^A-Za-z0-9._-]+/g, '-');
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}-decoded.csv"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(exportFile(deps.database, file.id, context.workspace.plan)));
  });

  scope.post<FileRoute>('/portal/:slug/files/:id/resume', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const file = await fileOf(deps, context.workspace.id, request);
    await resumeFile(deps, file.id);
    deps.files.wake();
    return reply.redirect(`/portal/${context.workspace.slug}/files/${file.id}`, 303);
  });

  scope.post<FileRoute>('/portal/:slug/files/:id/remove', HIDDEN, async (request, reply) => {
    const context = await contextOf(deps, request);
    const file = await fileOf(deps, context.workspace.id, request);
    await removeFile(deps, file.id);
    return reply.redirect(`/portal/${context.workspace.slug}/files`, 303);
  });
}

/** What a page shows of a file: before its first row what it costs, later its first results. */
async function viewOf(deps: PortalDeps, context: WorkspaceContext, file: VinFile): Promise<FileView> {
  const { slug, plan } = context.workspace;
  const view = { file, slug, limit: context.limit };
  if (!isHeld(file)) return { ...view, first: await firstRows(deps.database, file.id, plan) };
  const [preview, { remaining }] = await Promise.all([
    previewFile(deps.database, file.id),
    deps.meter.peek(callerOf(context)),
  ]);
  return { ...view, first: [], preview, remaining };
}

async function fileOf(deps: PortalDeps, workspaceId: string, request: FastifyRequest<FileRoute>) {
  const file = await findFile(deps, workspaceId, request.params.id);
  if (file === undefined) throw notFound();
  return file;
}

/** What the form holds: a file, or text that was pasted. */
async function readUpload(
  request: FastifyRequest,
): Promise<{ name: string; text: string; column: string } | { fault: string }> {
  const sent = { name: 'Pasted VINs', text: '', column: '' };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (bytes.length === 0) continue;
        sent.name = clean(part.filename).slice(0, 120) || 'file';
        const fault = fileFault(sent.name, bytes);
        if (fault !== undefined) return { fault };
        sent.text = textOf(bytes);
      } else if (part.fieldname === 'column') {
        sent.column = clean(String(part.value)).slice(0, 120);
      } else if (part.fieldname === 'pasted' && sent.text === '') {
        sent.text = String(part.value);
      }
    }
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'FST_REQ_FILE_TOO_LARGE' || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return TOO_LARGE;
    // Nothing but the form is read here: what its parser stumbles over is what was sent.
    throw new HttpError(400, 'The upload was incomplete. Choose the file again.');
  }
  return sent;
}

async function sendList(deps: PortalDeps, pageRequest: PageRequest, fault: string | undefined, status = 422) {
  const { slug, id } = pageRequest.context.workspace;
  const files = await listFiles(deps, id);
  return sendPortalPage(pageRequest, {
    tab: '/files',
    title: 'Files',
    status: fault === undefined ? 200 : status,
    children: (
      <>
        <UploadForm slug={slug} fault={fault} mostRows={MOST_ROWS} />
        <FileList files={files} slug={slug} />
      </>
    ),
  });
}

/** One line without control characters. */
function clean(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
