import type { Config, PlanPrices } from '../../kernel/config/config.ts';
import { count } from '../../kernel/ui/numbers.ts';
import { Table } from '../../kernel/ui/table.tsx';
import type { Plan } from '../plan.ts';

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

/** Returns a plan's name as people read it. */
export function planName(plan: Plan): string {
  return NAMES[plan];
}

function priceText(plan: Plan, prices: PlanPrices): string {
  if (plan === 'free') return 'Free';
  return (plan === 'enterprise' ? undefined : prices[plan]) ?? 'On request';
}

/** Returns a monthly limit as text. */
export function limitText(limit: number | null): string {
  return limit === null ? 'No limit' : count(limit);
}

interface PlanTableProps {
  plans: readonly Plan[];
  config: Pick<Config, 'planLimits' | 'planPrices'>;
  /** The plan to mark. */
  current?: Plan;
}

/** Shows the plans with their limits and prices. */
export function PlanTable({ plans, config, current }: PlanTableProps) {
  const isPriced = Object.values(config.planPrices).some((price) => price !== undefined);
  return (
    <Table
      rows={plans}
      isCurrent={(plan) => plan === current}
      columns={[
        {
          head: 'Plan',
          kind: 'name',
          cell: (plan) => (
            <>
              {NAMES[plan]} {plan === current ? <span class="tag">your plan</span> : null}
            </>
          ),
        },
        { head: 'Decodes per month', kind: 'figure', cell: (plan) => limitText(config.planLimits[plan]) },
        // Only if the operator has set one: it would be empty in every row.
        ...(isPriced ? [{ head: 'Price', cell: (plan: Plan) => priceText(plan, config.planPrices) }] : []),
        { head: 'What a report includes', cell: (plan) => GIVES[plan] },
      ]}
    />
  );
}
