import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { administratorOf, notFound } from '../../features/accounts/guard.ts';
import type { AcceptOutcome, DecideOutcome, Review } from '../../features/corrections/index.ts';
import { formOf, wantsPart } from '../../platform/ui/forms.ts';
import { sendPart } from '../../platform/ui/html.tsx';
import { namesIn } from './audit-names.ts';
import { candidateOf } from './candidate-form.ts';
import { actorOf, type AdminDeps } from './context.ts';
import { sendAdminPage } from './frame.tsx';
import { contradictionText, ImpactPart, isHarm, type Previewed, type ReviewOutcome } from './impact.tsx';
import { ReviewPage } from './review.tsx';

const HIDDEN = { schema: { hide: true } };

interface ReportRoute {
  Params: { id: string };
}

/** Adds the review of one report: preview, accept, reject, revert. */
export function addReview(scope: FastifyInstance, deps: AdminDeps): void {
  const { corrections } = deps;

  scope.get<ReportRoute>('/admin/reports/:id', HIDDEN, async (request, reply) => {
    administratorOf(request);
    return sendReview(deps, request, reply, request.params.id, deps.flash.take<ReviewOutcome>(request, reply) ?? {});
  });

  scope.post<ReportRoute>('/admin/reports/:id/preview', HIDDEN, async (request, reply) => {
    administratorOf(request);
    const { review } = await reviewOf(deps, request.params.id);
    const form = formOf(request);
    const previewed = await preview(deps, review, form);
    if (wantsPart(request)) return sendPart(reply, <ImpactPart reportId={review.report.id} previewed={previewed} />);
    return sendReview(deps, request, reply, review.report.id, { form, previewed });
  });

  scope.post<ReportRoute>('/admin/reports/:id/accept', HIDDEN, async (request, reply) => {
    const by = actorOf(administratorOf(request));
    const { review } = await reviewOf(deps, request.params.id);
    const form = formOf(request);
    const candidate = candidateOf(form, review.report.vin ?? '');
    const contradiction = await contradictionOf(deps, review, form);
    if (contradiction !== undefined) return answer(deps, request, reply, { ...contradiction, form });
    const outcome = await corrections.accept(review.report.id, candidate, { by, reason: reasonOf(form) });
    const result = outcomeOf(outcome, 'The correction is accepted. Every instance uses it within two seconds.');
    return answer(deps, request, reply, { ...result, form });
  });

  scope.post<ReportRoute>('/admin/reports/:id/reject', HIDDEN, async (request, reply) => {
    const by = actorOf(administratorOf(request));
    const outcome = await corrections.reject(request.params.id, { by, reason: reasonOf(formOf(request)) });
    return answer(deps, request, reply, outcomeOf(outcome, 'The report is rejected.'));
  });

  scope.post<ReportRoute>('/admin/reports/:id/supersede', HIDDEN, async (request, reply) => {
    const by = actorOf(administratorOf(request));
    const form = formOf(request);
    const settledBy = form.get('settled-by') ?? '';
    const outcome = await corrections.supersede(request.params.id, settledBy, { by, reason: reasonOf(form) });
    return answer(deps, request, reply, outcomeOf(outcome, 'The report is closed as settled.'));
  });

  scope.post<ReportRoute>('/admin/reports/:id/revert', HIDDEN, async (request, reply) => {
    const by = actorOf(administratorOf(request));
    const outcome = await corrections.revert(request.params.id, { by, reason: reasonOf(formOf(request)) });
    const result = outcomeOf(outcome, 'The correction is reverted.');
    return answer(deps, request, reply, result);
  });
}

/** Leads back to the review when something was decided; shows the form again when it was not. */
function answer(
  deps: AdminDeps,
  request: FastifyRequest<ReportRoute>,
  reply: FastifyReply,
  { done, ...rest }: ReviewOutcome,
): FastifyReply | Promise<FastifyReply> {
  const { id } = request.params;
  if (done !== undefined) return deps.flash.redirect(reply, `/admin/reports/${id}`, { done });
  return sendReview(deps, request, reply, id, rest);
}

async function reviewOf({ corrections }: AdminDeps, id: string): Promise<{ review: Review }> {
  const review = await corrections.review(id);
  if (review === undefined) throw notFound();
  return { review };
}

async function preview({ corrections }: AdminDeps, review: Review, form: URLSearchParams): Promise<Previewed> {
  const candidate = candidateOf(form, review.report.vin ?? '');
  const outcome = await corrections.preview(candidate, review.report.id);
  return outcome.kind === 'impact' ? { ...outcome, candidate } : outcome;
}

/** Why a correction is not accepted at once: it contradicts labelled VINs, and the reviewer did not confirm that. */
async function contradictionOf(
  deps: AdminDeps,
  review: Review,
  form: URLSearchParams,
): Promise<ReviewOutcome | undefined> {
  if (form.get('contradicts') === 'accepted') return undefined;
  const previewed = await preview(deps, review, form);
  const harmed = previewed.kind === 'impact' ? previewed.impact.vins.filter(isHarm).length : 0;
  if (harmed === 0) return undefined;
  return { faults: [`${contradictionText(harmed)} Confirm below that you accept it anyway.`], previewed };
}

function reasonOf(form: URLSearchParams): string {
  return (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim();
}

function outcomeOf(outcome: AcceptOutcome | DecideOutcome, done: string): ReviewOutcome {
  if (outcome.kind === 'unknown') throw notFound();
  if (outcome.kind === 'invalid') return { faults: outcome.faults };
  if (outcome.kind === 'not-possible') return { faults: [`This report is already ${outcome.state}.`] };
  return { done };
}

async function sendReview(
  deps: AdminDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  result: ReviewOutcome,
): Promise<FastifyReply> {
  const { review } = await reviewOf(deps, id);
  const names = await namesIn(deps.database, review.history);
  const [next] = await deps.corrections.list({ state: 'queued', after: id, limit: 1 });
  return sendAdminPage(request, reply, {
    tab: '/admin',
    title: 'Review this report',
    status: result.faults === undefined ? 200 : 422,
    children: <ReviewPage review={review} nextId={next?.id} result={result} names={names} />,
  });
}
