/** The four plans, least first. */
export const PLANS = ['free', 'starter', 'business', 'enterprise'] as const;

export type Plan = (typeof PLANS)[number];
