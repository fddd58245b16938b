import type { PlanLimits } from '../../features/access/index.ts';
import type { Plan } from '../../platform/db/index.ts';
import { count } from '../../platform/ui/numbers.ts';

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

/** A monthly limit in words. */
export function limitText(limit: number | null): string {
  return limit === null ? 'No limit' : count(limit);
}

/** What the plans give. `current` is marked. */
export function PlanTable(props: { plans: readonly Plan[]; planLimits: PlanLimits; current?: Plan }) {
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Plan</th>
          <th scope="col" class="figure">
            Decodes a month
          </th>
          <th scope="col">What a report holds</th>
        </tr>
      </thead>
      <tbody>
        {props.plans.map((plan) => (
          <tr key={plan} aria-current={plan === props.current ? 'true' : undefined}>
            <th scope="row">
              {NAMES[plan]} {plan === props.current ? <span class="tag">your plan</span> : null}
            </th>
            <td class="figure" data-label="Decodes a month">
              {limitText(props.planLimits[plan])}
            </td>
            <td data-label="What a report holds">{GIVES[plan]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
