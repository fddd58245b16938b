import type { PlanLimits } from '../../features/access/index.ts';
import type { Plan } from '../../platform/db/index.ts';
import type { PlanPrices } from '../../platform/config/config.ts';
import { count } from '../../platform/ui/numbers.ts';
import { Table } from '../../platform/ui/table.tsx';

const NAMES: Readonly<Record<Plan, string>> = {
  free: 'Free',
  starter: 'Starter',
  business: 'Business',
  enterprise: 'Enterprise',
};

const GIVES: Readonly<Record<Plan, string>> = {
  free: 'Basic fields: make, model, year, body, region',
  starter: 'Everything that is known: engine, fuel, drive, plant, dimensions, weights',
  business: 'Everything that is known: engine, fuel, drive, plant, dimensions, weights',
  enterprise: 'Everything that is known, and a limit by agreement',
};

/** A plan's name as people read it. */
export function planName(plan: Plan): string {
  return NAMES[plan];
}

function priceText(plan: Plan, prices: PlanPrices): string {
  if (plan === 'free') return 'Free';
  return (plan === 'enterprise' ? undefined : prices[plan]) ?? 'On request';
}

/** A monthly limit in words. */
export function limitText(limit: number | null): string {
  return limit === null ? 'No limit' : count(limit);
}

interface PlanTableProps {
  plans: readonly Plan[];
  planLimits: PlanLimits;
  planPrices: PlanPrices;
  /** The plan to mark. */
  current?: Plan;
}

/** What the plans give, and what they cost. */
export function PlanTable(props: PlanTableProps) {
  return (
    <Table
      rows={props.plans}
      isCurrent={(plan) => plan === props.current}
      columns={[
        {
          head: 'Plan',
          kind: 'name',
          cell: (plan) => (
            <>
              {NAMES[plan]} {plan === props.current ? <span class="tag">your plan</span> : null}
            </>
          ),
        },
        { head: 'Decodes per month', kind: 'figure', cell: (plan) => limitText(props.planLimits[plan]) },
        { head: 'Price', cell: (plan) => priceText(plan, props.planPrices) },
        { head: 'What a report includes', cell: (plan) => GIVES[plan] },
      ]}
    />
  );
}
