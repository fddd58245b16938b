import type { Explanation } from '@marque/decoder';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { actorOf, existing, notFound, recheckOf } from '../../people/index.ts';
import { vehicleTitle, whyOf } from '../../report/index.ts';
import { ReportView } from '../../report/pages/index.ts';
import {
  type AcceptOutcome,
  concernOf,
  type DecideOutcome,
  type Decision,
  type ReportState,
  type ReportSummary,
  type Review,
} from '../index.ts';
import { addActingPage } from '../../kernel/ui/flash.ts';
import { formOf, formStatus, wantsPart } from '../../kernel/ui/forms.ts';
import { sendPart } from '../../kernel/ui/html.tsx';
import { namesIn } from '../audit-names.ts';
import { proposalOf } from './decision.tsx';
import { sendAdminPage } from '../../kernel/ui/admin-frame.tsx';
import { ImpactPart, previewedText, type Previewed, type ReviewOutcome } from './impact.tsx';
import { stateText } from './report-state.tsx';
import { ReviewPage } from './review.tsx';
import type { ReportParts } from '../route.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

interface ReportRoute {
  Params: { id: string };
}

/** Adds the review of one report: preview, accept, reject, close as resolved, revert. */
export function addReview(scope: FastifyInstance, deps: ReportParts & PageKit): void {
  const { corrections } = deps;

  const act = addActingPage<ReportRoute['Params'], ReviewOutcome>(scope, {
    flash: deps.flash,
    path: '/admin/reports/:id',
    send: (request, reply, result) => sendReview(deps, reply, request.params.id, result),
  });

  scope.get<ReportRoute>('/admin/reports/:id/decode', async (request, reply) => {
    const { now } = await reviewOf(deps, request.params.id);
    return sendDecode(reply, request.params.id, existing(now ?? undefined));
  });

  scope.post<ReportRoute>('/admin/reports/:id/preview', async (request, reply) => {
    const { id } = request.params;
    const form = formOf(request);
    const previewed = await preview(deps, await reviewOf(deps, id), form);
    if (wantsPart(request)) return sendPart(reply, <ImpactPart reportId={id} previewed={previewed} />);
    return sendReview(deps, reply, id, { form, previewed });
  });

  const decide = (
    name: string,
    work: (id: string, form: URLSearchParams, decision: Decision) => Promise<ReviewOutcome>,
  ) =>
    act(name, async (request) => {
      const form = formOf(request);
      const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim();
      const recheck = recheckOf(deps.database, request);
      return work(request.params.id, form, { by: actorOf(request), reason, recheck });
    });

  decide('accept', async (id, form, decision) => {
    const review = await reviewOf(deps, id);
    const obstacle = (await changeSincePreview(deps, review, form)) ?? (await contradictionOf(deps, review, form));
    if (obstacle !== undefined) return { ...obstacle, form };
    const outcome = await corrections.accept(id, proposalOf(form, review.report.vin ?? ''), decision);
    const done = 'The correction is accepted. Every instance uses it within two seconds.';
    return { ...outcomeOf(outcome, done), form };
  });
  decide('reject', async (id, _form, decision) =>
    outcomeOf(await corrections.reject(id, decision), 'The report is rejected.'),
  );
  decide('supersede', async (id, form, decision) => {
    const outcome = await corrections.supersede(id, form.get('settled-by') ?? '', decision);
    return outcomeOf(outcome, 'The report is closed as settled.');
  });
  decide('revert', async (id, _form, decision) =>
    outcomeOf(await corrections.revert(id, decision), 'The correction is reverted.'),
  );
}

async function reviewOf({ corrections }: ReportParts & PageKit, id: string): Promise<Review> {
  return existing(await corrections.review(id));
}

async function preview(
  { corrections }: ReportParts & PageKit,
  review: Review,
  form: URLSearchParams,
): Promise<Previewed> {
  const proposal = proposalOf(form, review.report.vin ?? '');
  const outcome = await corrections.preview(proposal, review.report.id);
  return outcome.kind === 'impact' ? { ...outcome, proposal } : outcome;
}

/** Previews the suggestion, so that a right report is accepted at once; undefined: there is no suggestion. */
async function suggested({ corrections }: ReportParts & PageKit, review: Review): Promise<Previewed | undefined> {
  const { report, suggestion: proposal } = review;
  if (report.state !== 'queued' || proposal === null || Object.keys(proposal.fields).length === 0) return undefined;
  const outcome = await corrections.preview(proposal, report.id);
  return outcome.kind === 'impact' ? { ...outcome, proposal } : outcome;
}

/** Returns the refusal of a correction that was changed after its effect was shown. */
async function changeSincePreview(
  deps: ReportParts & PageKit,
  review: Review,
  form: URLSearchParams,
): Promise<ReviewOutcome | undefined> {
  const shown = form.get('previewed');
  if (shown === null || shown === previewedText(proposalOf(form, review.report.vin ?? ''))) return undefined;
  const previewed = await preview(deps, review, form);
  return { faults: ['The correction was changed after its effect was shown. Look at the effect again.'], previewed };
}

/** Returns the refusal of a correction that contradicts labeled VINs, or is for a whole WMI, without the reviewer's confirmation. */
async function contradictionOf(
  deps: ReportParts & PageKit,
  review: Review,
  form: URLSearchParams,
): Promise<ReviewOutcome | undefined> {
  if (form.get('contradicts') === 'accepted') return undefined;
  const previewed = await preview(deps, review, form);
  const concern = previewed.kind === 'impact' ? concernOf(previewed.proposal, previewed.impact) : undefined;
  if (concern === undefined) return undefined;
  return { faults: [`${concern} Confirm below that you accept it anyway.`], previewed };
}

function outcomeOf(outcome: AcceptOutcome | DecideOutcome, done: string): ReviewOutcome {
  if (outcome.kind === 'unknown') throw notFound();
  if (outcome.kind === 'invalid') return { faults: outcome.faults };
  if (outcome.kind === 'not-possible') return { faults: [alreadyText(outcome.state)] };
  return { done };
}

function alreadyText(state: ReportState): string {
  return state === 'queued'
    ? 'This report is waiting for review, so there is no correction to revert.'
    : `This report is already ${stateText(state)}.`;
}

/** Sends all decoded values of a report's VIN, as a subscriber with every field sees them. */
function sendDecode(reply: FastifyReply, id: string, now: Explanation): FastifyReply {
  const report = { ...now.report };
  return sendAdminPage(reply, {
    tab: '/admin',
    title: vehicleTitle(report),
    children: (
      <>
        <p>
          <a href={`/admin/reports/${id}`}>Back to the report</a>
        </p>
        <h2 class="unseen">The decode</h2>
        <ReportView report={report} body={{ report }} moreFields="" plans="" why={whyOf(now, report, true)} />
      </>
    ),
  });
}

/** Returns the report that waits after one; after the last, the first that waits. */
async function nextOf({ corrections }: ReportParts & PageKit, id: string): Promise<ReportSummary | undefined> {
  const [next] = await corrections.list({ state: 'queued', after: id, limit: 1 });
  if (next !== undefined) return next;
  const first = await corrections.list({ state: 'queued', limit: 2 });
  return first.find((report) => report.id !== id);
}

async function sendReview(
  deps: ReportParts & PageKit,
  reply: FastifyReply,
  id: string,
  result: ReviewOutcome,
): Promise<FastifyReply> {
  const review = await reviewOf(deps, id);
  const names = await namesIn(deps.database, review.history);
  const [next, previewed] = await Promise.all([
    nextOf(deps, id),
    result.previewed ?? (result.form === undefined ? suggested(deps, review) : undefined),
  ]);
  return sendAdminPage(reply, {
    tab: '/admin',
    title: 'Review this report',
    status: formStatus(result.faults),
    children: (
      <ReviewPage
        review={review}
        nextId={next?.id}
        result={previewed === undefined ? result : { ...result, previewed }}
        names={names}
      />
    ),
  });
}
