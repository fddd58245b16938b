import { readWorld, type WorldFacts } from '../load.ts';
import type { Problem } from '../problem.ts';
import { sharedWmis } from '../../wmi/wmis.ts';
import { alternatives } from './alternatives.ts';
import { contradictedBadge } from './contradicted-badge.ts';
import { impossibleYears } from './impossible-years.ts';
import { overlappingCodes } from './overlapping-codes.ts';
import { refutedRule } from './refuted-rule.ts';
import { shadowedRow } from './shadowed-row.ts';
import { plantRows } from './plant-rows.ts';
import { sharedMake } from './shared-make.ts';
import { unbornePower } from './unborne-power.ts';
import { unknownBody } from './unknown-body.ts';
import { unsourcedFact } from './unsourced-fact.ts';

const RULES = [
  alternatives,
  overlappingCodes,
  impossibleYears,
  unknownBody,
  shadowedRow,
  refutedRule,
  unsourcedFact,
  unbornePower,
  contradictedBadge,
];

/** Returns the faults of readable facts, by every rule. */
export function lintWorld(facts: WorldFacts = readWorld()): Problem[] {
  return [...RULES.flatMap((rule) => rule(facts)), ...plantRows(facts), ...sharedMake(facts, sharedWmis())];
}
