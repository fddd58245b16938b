import { vinWithin } from '@marque/catalog/tables';
import { hash } from 'node:crypto';

import { HINT_NAMES, readHints, readVin, type VehicleReport } from '@marque/decoder';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { project, decodeFor, narrow, infoOfPrefix } from '../../decode/index.ts';
import { DecodePartAnswer, type DecodeView, canSuggest, viewOf, engineIn } from '../../decode/pages/index.ts';
import { whyOf } from '../../report/index.ts';
import type { SiteParts } from '../slice.ts';
import { tokenOf } from '../../kernel/ui/fields.tsx';
import { formOf, wantsPart } from '../../kernel/ui/forms.ts';
import { CachedPages, sendPage, sendPart } from '../../kernel/ui/html.tsx';
import type { BurstLimit } from '../../kernel/limits/token-buckets.ts';
import type { WorkTurns } from '../../kernel/limits/work-turns.ts';
import { inTurn } from '../in-turn.ts';
import { wideNetworkOf } from '../../kernel/limits/wide-network.ts';
import { visitorOf, VisitorTools } from './decoded-route.tsx';
import { decodedPath } from './visitor-address.ts';
import { type ExampleName, EXAMPLES, Landing, type LandingAnswer, LANDING_DESCRIPTION } from './landing.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

/** Rules for search engines: public pages, but no shared VIN. */
const ROBOTS = [
  'User-agent: *',
  'Disallow: /portal',
  'Disallow: /admin',
  'Disallow: /account',
  'Disallow: /decoded/',
  'Disallow: /docs/search',
  'Disallow: /*?vin=',
  '',
].join('\n');

/**
 * The time for which the page is cached: its figures and the token of its form are no older. Two readers who decode one
 * VIN with one token at one address get one answer, charged once.
 */
const KEPT_MS = 1_000;

/** Parameters of the address that answer an example's question. */
const ANSWERABLE: ReadonlySet<string> = new Set([...HINT_NAMES, 'engine']);

/** A charged answer is made, whether or not its reader waits. */
const NEVER = new AbortController().signal;

/** Answers to an example's questions: each takes up to tens of milliseconds. */
const ANSWERS: BurstLimit = { burst: 60, refillMs: 1_000 };

/** Adds `/` and what its decode box sends to, `POST /decode`: public usage, counted by network address. */
export function addLanding(scope: FastifyInstance, deps: SiteParts & PageKit, turns: WorkTurns): void {
  const page = (request: FastifyRequest, vin: string, answer: LandingAnswer) => ({
    title: 'Marque',
    description: LANDING_DESCRIPTION,
    baseUrl: deps.baseUrl(),
    current: '/',
    scripts: ['plate.js'] as const,
    runsWasm: true,
    // The form's token is good for one decode, and protects nothing.
    isPublic: request.person === null,
    children: <Landing deps={deps} isSignedIn={request.person !== null} vin={vin} answer={answer} />,
  });
  const kept = new CachedPages(KEPT_MS);
  const answers = deps.rateLimit('answers to examples', ANSWERS);
  // A VIN in the address fills the box and charges nothing, so that it can be sent on. Nor does an example.
  scope.get<{ Querystring: Record<string, string | undefined> }>('/', async (request, reply) => {
    const { vin, example: wanted = '', ...given } = request.query;
    const query = Object.fromEntries(Object.entries(given).filter(([key]) => ANSWERABLE.has(key)));
    const name = isExample(wanted) ? wanted : 'european';
    const isAnswered = Object.keys(query).length > 0;
    if (vin === undefined && !isAnswered) {
      return kept.send(reply, isExample(wanted) ? name : '', () =>
        page(request, wanted === name ? EXAMPLES[name].vin : '', { view: example(deps, name) }),
      );
    }
    if (vin !== undefined) {
      const text = (vinWithin(vin) ?? vin).slice(0, 64);
      return sendPage(reply, page(request, text, { view: checked(deps, text) }));
    }
    const isTooOften = (await answers.take(deps.networkOf(request), deps.clock())) > 0;
    if (wantsPart(request)) reply.header('marque-part', 'yes');
    return inTurn(turns, deps.networkOf(request), () =>
      sendPage(reply, page(request, EXAMPLES[name].vin, { view: example(deps, name, isTooOften ? {} : query) })),
    );
  });
  scope.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS));
  // Someone who loads the address of an answer again gets the box back, not a second charge.
  scope.get('/decode', (_request, reply) => reply.redirect('/', 303));

  scope.post('/decode', async (request, reply) => {
    // A chosen suggestion comes after the text still in the box.
    const sent = formOf(request).getAll('vin').at(-1) ?? '';
    const vin = (vinWithin(sent) ?? sent).slice(0, 64);
    const { view, report } = await decodePublicly(deps, request, vin);
    const path = view.kind === 'report' ? decodedPath(deps.secret, view.id) : '';
    const answer =
      view.kind === 'report' && report !== undefined
        ? {
            view,
            address: path,
            tools: <VisitorTools decode={{ vin: report.vin, report }} path={path} baseUrl={deps.baseUrl()} />,
          }
        : { view };
    if (wantsPart(request)) return sendPart(reply, <DecodePartAnswer {...answer} />);
    return sendPage(reply, page(request, vin, answer));
  });
}

/** Decodes an example at full depth, with what its VIN leaves open; `query`: answers. Charges nothing. */
function example(
  { decoder }: SiteParts & PageKit,
  name: ExampleName,
  query: Readonly<Record<string, string | undefined>> = {},
): DecodeView {
  const form = readHints(Object.fromEntries(HINT_NAMES.map((hint) => [hint, query[hint]])));
  const hints = form.kind === 'hints' ? form.hints : {};
  const engine = engineIn(query);
  // The first decode of a process reads the catalog from the disk, so its time is not that of later ones.
  decoder.decode(EXAMPLES[name].vin);
  const began = performance.now();
  const decoded = decoder.decode(EXAMPLES[name].vin);
  const tookMs = performance.now() - began;
  const narrowed = narrow(decoder, decoded, hints, engine);
  const faults = form.kind === 'malformed' ? form.messages : [];
  const open = { narrowed, hints: { ...hints, ...engine }, faults };
  const report = project('full', narrowed.report);
  const why = whyOf(decoder.explain(EXAMPLES[name].vin), report, false);
  return { kind: 'example', why, name, tookMs, report, open };
}

/** Returns the public view of a shared VIN: the same as `GET /api/vin/{vin}` without a search. */
function checked({ decoder }: SiteParts & PageKit, text: string): DecodeView {
  const form = readVin(text);
  if (form.kind === 'malformed') return { kind: 'malformed', message: form.message, suggestions: [] };
  const { makes = [], region, modelYear } = infoOfPrefix(decoder, form.vin);
  const manufacturer = makes.length === 0 ? undefined : makes.join(' or ');
  return { kind: 'checked', vin: form.vin, says: { manufacturer, region, modelYear } };
}

function isExample(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLES, name);
}

/** Makes loading an answer again the same answer, charged once. A part of a page is never loaded again. */
function keyOf(request: FastifyRequest, vin: string): string | undefined {
  const token = wantsPart(request) ? undefined : tokenOf(formOf(request));
  // The box may contain another VIN when the reader comes back.
  return token === undefined ? undefined : hash('sha256', `${token} ${vin}`);
}

async function decodePublicly(
  deps: SiteParts & PageKit,
  request: FastifyRequest,
  vin: string,
): Promise<{ view: DecodeView; report: VehicleReport | undefined }> {
  const caller = await visitorOf(deps, request);
  const began = performance.now();
  const outcome = await decodeFor(deps, caller, { text: vin, id: request.id, idempotencyKey: keyOf(request, vin) });
  const tookMs = performance.now() - began;
  const likely = canSuggest(outcome) ? await deps.suggestions.for(vin, deps.networkOf(request)) : [];
  // Charges of many come back in one turn of the event loop: their reports would all be made in it.
  await deps.turns.next({ id: wideNetworkOf(deps.networkOf(request)), isPaid: false }, NEVER);
  const report = outcome.kind === 'granted' ? outcome.answer.report() : undefined;
  return { view: viewOf({ text: vin, outcome, caller, likely, tookMs, decoder: deps.decoder }), report };
}
