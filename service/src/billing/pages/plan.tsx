import type { FastifyInstance } from 'fastify';

import type { PageKit } from '../../kernel/ui/page-kit.ts';
import type { Billing } from '../billing.ts';
import { goesOn, type Subscription } from '../subscriptions.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf } from '../../kernel/ui/forms.ts';
import { tooManyText, waitText } from '../../kernel/ui/times.tsx';
import type { BurstLimit, RateLimiter } from '../../kernel/limits/token-buckets.ts';
import { AskOperator } from '../../kernel/ui/contact.tsx';
import {
  limitText,
  planName,
  PlanTable,
  activeOnly,
  ownerOnly,
  type PageRequest,
  recheckIn,
  type WorkspaceContext,
  type WorkspaceRoutes,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { type Plan, PLANS } from '../../workspaces/index.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** The targets of the page's forms outside this service: browsers apply the policy for forms to redirects, too. */
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com'];

const PAID = 'Thank you. The plan takes effect as soon as the payment is confirmed, usually within seconds.';

/** The limit at which a workspace may have Stripe asked, which serves all workspaces together a hundred times a second. */
const ASKS: BurstLimit = { burst: 20, refillMs: 10_000 };

/** Adds the page of a workspace's plan, and the ways to Stripe's pages where billing is configured. */
export function addPlan(scope: FastifyInstance, deps: PageKit & { billing: Billing | undefined }): void {
  const routes = workspaceRoutes(scope, deps);
  const { billing, config } = deps;
  const asks = deps.rateLimit('payments', ASKS);
  routes.get('/plan', async (page) => {
    const { context } = page;
    const subscriptions = (await billing?.subscriptionsOf(context.workspace.id)) ?? [];
    // Only owners pay: what others had Stripe asked would be taken from them.
    const isBack = page.request.query['paid'] !== undefined && context.role === 'owner';
    let waitSeconds = 0;
    if (billing !== undefined && isBack && !subscriptions.some(goesOn)) {
      waitSeconds = await asks.take(context.workspace.id, deps.clock());
      if (waitSeconds === 0) await billing.readRecent(context.workspace.id);
      const paid = await billing.subscriptionsOf(context.workspace.id);
      // With its new plan.
      if (paid.some(goesOn)) return page.reply.redirect(page.request.url, 303);
    }
    const targets = config.billing?.apiUrl === undefined ? STRIPE_PAGES : [...STRIPE_PAGES, config.billing.apiUrl];
    return sendPortalPage(page, {
      tab: '/plan',
      title: 'Plan',
      ...(billing !== undefined && { formTargets: targets }),
      children: (
        <>
          <NoticeText tone="good" text={isBack ? PAID + laterText(waitSeconds) : undefined} />
          <Current context={context} deps={deps} />
          <PlanTable config={config} plans={PLANS} current={context.workspace.plan} />
          {billing === undefined ? (
            <Ask plan={context.workspace.plan} contact={config.contact} />
          ) : (
            <Buy context={context} billing={billing} paid={subscriptions.filter(goesOn)} />
          )}
        </>
      ),
    });
  });
  if (billing !== undefined) addPayment(routes, deps, billing, asks);
}

function addPayment(routes: WorkspaceRoutes, deps: PageKit, billing: Billing, asks: RateLimiter): void {
  const count = async ({ workspace }: WorkspaceContext): Promise<void> => {
    const seconds = await asks.take(workspace.id, deps.clock());
    if (seconds > 0) throw new HttpError(429, tooManyText(seconds), { 'retry-after': String(seconds) });
  };
  // The address opens the page by itself, and Stripe may have taken its time: who asked may have been removed meanwhile.
  const lead = async ({ reply, context }: Pick<PageRequest, 'reply' | 'context'>, url: string) => {
    await recheckIn(deps.database, context)(deps.database.kysely);
    return reply.redirect(url, 303);
  };
  routes.post('/plan/buy', async ({ request, reply, context }) => {
    ownerOnly(context);
    activeOnly(context);
    const wanted = formOf(request).get('plan');
    const plan = billing.plansOnSale.find((known) => known === wanted);
    if (plan === undefined) throw new HttpError(400, 'This plan is not on sale.');
    await count(context);
    const page = `${deps.baseUrl()}${context.home}/plan`;
    const { id: workspaceId } = context.workspace;
    const urls = { successUrl: `${page}?paid=1`, cancelUrl: page };
    const url = await billing.checkout({ workspaceId, plan, email: context.person.email, ...urls });
    if (url === undefined) throw new HttpError(503, 'Stripe did not open a payment page. Try again in a moment.');
    return lead({ reply, context }, url);
  });

  routes.post('/plan/manage', async ({ request, reply, context }) => {
    ownerOnly(context);
    const subscriptions = await billing.subscriptionsOf(context.workspace.id);
    const wanted = formOf(request).get('customer');
    const subscription = subscriptions.find(({ customerId }) => customerId === wanted) ?? subscriptions[0];
    if (subscription === undefined) throw new HttpError(400, 'There is no subscription yet.');
    await count(context);
    const page = `${deps.baseUrl()}${context.home}/plan`;
    return lead({ reply, context }, await billing.manage(subscription.customerId, page));
  });
}

/** Says when Stripe is asked again for a workspace that has had it asked too often. */
function laterText(seconds: number): string {
  return seconds === 0 ? '' : ` If it is not shown, open this page again in ${waitText(seconds)}.`;
}

function Current({ context, deps }: { context: WorkspaceContext; deps: PageKit }) {
  const { plan, limit } = context.workspace;
  return (
    <p>
      This workspace is on the <strong>{planName(plan)}</strong> plan
      {limit.kind === 'plan'
        ? `: ${limitWords(deps.config.planLimits[plan])}.`
        : `, with its own limit: ${limitWords(context.limit)}. It stays on a higher plan that gives less, and on a lower one that gives as much.`}
    </p>
  );
}

function Buy(props: { context: WorkspaceContext; billing: Billing; paid: readonly Subscription[] }) {
  const { context, billing, paid } = props;
  const { home } = context;
  const { plan } = context.workspace;
  if (context.role !== 'owner') return <p>An owner of the workspace can change the plan.</p>;
  if (paid.length > 0) {
    return (
      <>
        {paid.length === 1 ? null : <p>Each of these subscriptions is paid. Cancel those that you do not need.</p>}
        {paid.map(({ customerId, plan: paidPlan, status }, place) => (
          <PostForm key={place} class="stack" action={`${home}/plan/manage`}>
            <p>
              Subscription: {planName(paidPlan)}, {status}. Change or cancel it on Stripe's page.
            </p>
            <button class="first" name="customer" value={customerId}>
              Change the subscription
            </button>
          </PostForm>
        ))}
      </>
    );
  }
  const offers = billing.plansOnSale.filter((offer) => PLANS.indexOf(offer) > PLANS.indexOf(plan));
  if (offers.length === 0) return <p>You have the largest plan on sale.</p>;
  return (
    <PostForm class="stack" action={`${home}/plan/buy`}>
      <p>You pay on Stripe's page. The new plan takes effect at once. Decodes already used this month still count.</p>
      <div class="row">
        {offers.map((offer, place) => (
          <button key={offer} name="plan" value={offer} class={place === 0 ? 'first' : undefined}>
            Upgrade to {planName(offer)}
          </button>
        ))}
      </div>
    </PostForm>
  );
}

function Ask({ plan, contact }: { plan: Plan; contact: string | undefined }) {
  const isHighest = plan === PLANS.at(-1);
  return (
    <p>
      {isHighest ? 'You are on the largest plan. ' : ''}
      {contact === undefined ? (
        'Plans cannot be changed online here: ask the operator of this service.'
      ) : (
        <>
          To change your plan, <AskOperator contact={contact} />. A higher plan takes effect at once. Decodes already
          used this month still count.
        </>
      )}
    </p>
  );
}

function limitWords(limit: number | null): string {
  return limit === null ? 'no monthly limit' : `${limitText(limit)} decodes a month`;
}
