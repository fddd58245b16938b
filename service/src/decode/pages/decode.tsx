import { HINT_NAMES, readHints, readVin } from '@marque/decoder';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { correctionsIn } from '../../corrections/index.ts';
import { existing } from '../../people/index.ts';
import { findDecode, recentDecode, type StoredDecode } from '../../metering/index.ts';
import { subjectOf, EARLIER_KEY, findKey, tenantOf } from '../../workspaces/index.ts';
import { whyOf, REPORT_FILES, sendReportFile, fieldsInWords, titleDetails, vehicleTitle } from '../../report/index.ts';
import {
  activeOnly,
  callerOf,
  type PageRequest,
  type WorkspaceContext,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { candidatesFor } from '../candidates/candidates-for.ts';
import { countOpen, type Narrowed } from '../searches/questions.ts';
import { project, depthOf, metadataFor, premiumPaths } from '../depth.ts';
import { exhaustedText } from '../usage-answer.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { Details, Suggestions } from './decode-answer.tsx';
import { DecodePart, type DecodePartProps, laterText } from './decode-views.tsx';
import { engineIn } from './engine-choice.tsx';
import type { DecodeParts } from '../parts.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** The time for which a decode is narrowed for free, as for the API's candidates, in milliseconds. */
const FREE_MS = DAY_MS;

/** The reason why the form of this page did nothing. */
interface Message {
  failed: string;
}

/** Adds the page of each decode: free to come back to, and to narrow down for a day. */
export function addDecode(scope: FastifyInstance, deps: DecodeParts & PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('/decodes/:id', async (page) => {
    const view = await viewOf(deps, page);
    // An answer to a question puts the whole page in place: its title may change, too.
    page.reply.header('marque-part', 'yes');
    const { failed } = deps.flash.take<Message>(page.reply) ?? {};
    const suggestions = await suggestionsFor(deps, page.context, view);
    if (view.open.kind === 'later') page.reply.header('retry-after', String(view.open.retryAfterSeconds));
    return sendPortalPage(page, {
      tab: '/decodes',
      status: view.open.kind === 'later' ? 429 : 200,
      title: vehicleTitle(view.report),
      details: <Details text={titleDetails(view.report)} />,
      children: (
        <>
          <NoticeText tone="bad" text={failed} />
          <Suggestions vins={suggestions} page={`${view.home}/try`} lead="This VIN may be mistyped. Did you mean" />
          <DecodePart {...view} />
        </>
      ),
    });
  });

  for (const form of REPORT_FILES) {
    routes.get(`/decodes/:id/${form}`, async (page) => {
      const { vin, report, open } = await viewOf(deps, page);
      // The file would lack the values that the answers decide.
      if (open.kind === 'later') throw new HttpError(429, laterText(open.retryAfterSeconds));
      return sendReportFile(page.reply, form, vin, report);
    });
  }

  routes.post('/decodes/:id/narrow', async (page) => chargeAgain(deps, page, await decodeOf(deps, page)));
}

/** Returns the likely VINs. Answers to questions search for none again: they come with every choice. */
async function suggestionsFor(
  deps: DecodeParts & PageKit,
  context: WorkspaceContext,
  { vin, hints }: Pick<DecodePartProps, 'vin' | 'hints'>,
): Promise<string[]> {
  if (readVin(vin).kind !== 'vin' || Object.values(hints).some((hint) => hint !== undefined)) return [];
  const likely = await deps.suggestions.for(vin, subjectOf(callerOf(context)));
  return likely.slice(0, 3).map((suggestion) => suggestion.vin);
}

/** Returns the decode of a request. @throws a 404 when it is another workspace's, or does not exist. */
async function decodeOf(deps: DecodeParts & PageKit, { request, context }: PageRequest): Promise<StoredDecode> {
  return existing(await findDecode(deps.database, subjectOf(callerOf(context)), request.params['id'] ?? ''));
}

/** Returns the data of the page: the stored report, narrowed by the answers in the address while that is free. */
async function viewOf(deps: DecodeParts & PageKit, page: PageRequest): Promise<DecodePartProps> {
  const decode = await decodeOf(deps, page);
  const { request, context } = page;
  const { home } = context;
  const { plan } = context.workspace;
  const depth = depthOf(plan);
  const isFree = deps.clock() - decode.createdAtMs < FREE_MS;
  const form = readHints(hintsIn(request.query));
  const hints = form.kind === 'hints' ? form.hints : {};
  const engine = isFree ? engineIn(request.query) : undefined;
  const corrected = await deps.corrections.correctedSince(decode.report);
  // One that was erased, or stored in part, is shown as it is: the decoder explains and narrows whole VINs only.
  const isWhole = readVin(decode.vin).kind === 'vin';
  const search =
    depth === 'full' && isWhole
      ? await deps.searches.narrow(tenantOf(callerOf(context)), corrected.report, isFree ? hints : {}, engine)
      : undefined;
  const narrowed = search?.kind === 'narrowed' ? search.narrowed : undefined;
  const full = narrowed?.report ?? corrected.report;
  const report = project(depth, full);
  const metadata = metadataFor(plan, full);
  const original = project(depth, decode.report);
  return {
    original,
    changes: correctionsIn(corrected.changes, [report, original]),
    id: decode.id,
    vin: decode.vin,
    how: await howMade(deps, context, decode),
    createdAtMs: decode.createdAtMs,
    path: `${home}/decodes/${decode.id}`,
    home,
    baseUrl: deps.baseUrl(),
    report,
    body: { report, metadata },
    why: isWhole ? whyOf(deps.decoder.explain(decode.vin), report, depth === 'full') : new Map(),
    moreFields: depth === 'full' ? '' : fieldsInWords(premiumPaths(full)),
    hints: isFree ? { ...hints, ...engine } : {},
    faults: form.kind === 'malformed' ? form.messages : [],
    open:
      search === undefined || search.kind === 'narrowed'
        ? openOf(narrowed, isFree)
        : { kind: 'later', retryAfterSeconds: search.retryAfterSeconds },
  };
}

/** Says with which key a decode was made, or where. */
async function howMade(
  { database }: DecodeParts & PageKit,
  { workspace }: WorkspaceContext,
  { keyId }: StoredDecode,
): Promise<string> {
  if (keyId === '') return 'in the portal';
  const key = await findKey(database, workspace.id, keyId);
  return key === undefined ? `with ${EARLIER_KEY}` : `with the key ${key.name}`;
}

function openOf(narrowed: Narrowed | undefined, isFree: boolean): DecodePartProps['open'] {
  if (narrowed === undefined || countOpen(narrowed) === 0) return { kind: 'nothing' };
  return isFree ? { kind: 'questions', narrowed } : { kind: 'charged', count: countOpen(narrowed) };
}

/** Reads the hints of an address; other parameters are ignored. */
function hintsIn(query: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return Object.fromEntries(HINT_NAMES.map((name) => [name, query[name]]));
}

/** Returns a decode of the VIN that is less than a day old: charges one only if there is none. */
async function chargeAgain(
  deps: DecodeParts & PageKit,
  { request, reply, context }: PageRequest,
  { vin, id }: StoredDecode,
): Promise<FastifyReply> {
  activeOnly(context);
  const caller = callerOf(context);
  const page = (of: string): string => `${context.home}/decodes/${of}`;
  if (depthOf(caller.plan) !== 'full') return reply.redirect(page(id), 303);
  const recent = await recentDecode(deps.database, subjectOf(caller), { vin, sinceMs: deps.clock() - FREE_MS });
  if (recent !== undefined) return reply.redirect(page(recent), 303);
  const outcome = await candidatesFor(deps, caller, { id: request.id, text: vin, hints: {} });
  if (outcome.kind === 'granted') return reply.redirect(page(outcome.id), 303);
  const failed = {
    malformed: 'This VIN cannot be narrowed down.',
    exhausted: exhaustedText(caller),
    overloaded: 'The service is busy. Nothing was charged. Try again in a few seconds.',
    'too-often': 'Too many requests for candidates in a short time. Nothing was charged. Try again in a few seconds.',
  }[outcome.kind];
  return deps.flash.redirect(reply, page(id), { failed });
}
