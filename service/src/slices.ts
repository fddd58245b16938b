import { admin } from './admin/slice.ts';
import { billing } from './billing/slice.ts';
import { catalog } from './catalog/slice.ts';
import { corrections } from './corrections/slice.ts';
import { decode } from './decode/slice.ts';
import { enrichment } from './enrichment/slice.ts';
import { files } from './files/slice.ts';
import type { Queues } from './kernel/jobs/index.ts';
import type { Slice } from './kernel/slice.ts';
import { learning } from './learning/slice.ts';
import { metering } from './metering/slice.ts';
import { people } from './people/slice.ts';
import { privacy } from './privacy/slice.ts';
import { requests } from './requests/slice.ts';
import { site } from './site/slice.ts';
import { webhooks } from './webhooks/slice.ts';
import { workspaces } from './workspaces/slice.ts';

/** Every feature of the service. A route may use the schemas of those before it. */
const ALL = [
  site,
  people,
  workspaces,
  decode,
  files,
  catalog,
  corrections,
  metering,
  requests,
  webhooks,
  enrichment,
  billing,
  learning,
  privacy,
  admin,
] as const;

/** The dependencies of all slices together. */
type Needs = typeof ALL extends readonly Slice<infer Parts, infer Work>[] ? { parts: Parts; work: Work } : never;
/** The dependencies of their routes and pages. */
export type Parts = Needs['parts'];
/** The dependencies of their workers. */
export type WorkNeeds = Needs['work'];

export const SLICES: readonly Slice<Parts, WorkNeeds>[] = ALL;

/** The queues of all slices. */
export const QUEUES: Queues = Object.assign({}, ...SLICES.map(({ queues }) => queues));
