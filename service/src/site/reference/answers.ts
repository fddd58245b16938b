import { type Decoder, readHints, type VehicleReport } from '@marque/decoder';

import { readCandidates, type Depth, metadataFor, planMetadata, premiumFields, project } from '../../decode/index.ts';
import { isRecord } from '../../kernel/records.ts';
import { isoDay } from '../../kernel/clock.ts';
import type { Plan } from '../../workspaces/index.ts';

/** An example answer, for a kind of caller; without a name: for every caller. */
export interface ExampleAnswer {
  name: 'Without a key' | 'With a plan' | undefined;
  body: unknown;
}

/** The inputs of example answers. */
export interface AnswerDeps {
  decoder: Decoder;
  /** Decodes a month: without a key, and with the plan; null: no limit. */
  limits: { public: number; plan: number | null };
  nowMs: number;
  /** Asks the service itself, for what charges nothing. */
  ask: (path: string) => Promise<unknown>;
}

/** The plan whose answers are shown: it sees every field. */
export const PLAN = 'business' satisfies Plan;

const ID = '019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11';

/** Answers by operation. The others have the example of their schema. */
const ANSWERS: Readonly<Record<string, (deps: AnswerDeps, sent: unknown) => unknown>> = {
  'POST /api/decode': (deps, sent) => {
    const report = deps.decoder.decode(textIn(sent, 'vin'));
    return both(
      { report: project('basic', report), usage: usageOf(deps, 'public', 1) },
      { report: project('full', report), usage: usageOf(deps, 'plan', 1), metadata: metadataFor(PLAN, report) },
    );
  },
  'POST /api/decode/batch': (deps, sent) => {
    const reports = listIn(sent, 'vins').map((vin) => deps.decoder.decode(String(vin)));
    const charged = reports.length;
    const results = (depth: Depth) => reports.map((report) => resultOf(depth, report));
    return both(
      { results: results('basic'), charged, usage: usageOf(deps, 'public', charged) },
      { results: results('full'), charged, usage: usageOf(deps, 'plan', charged), metadata: planMetadata(PLAN) },
    );
  },
  'POST /api/decode/candidates': (deps, sent) => {
    const form = readHints(isRecord(sent) && isRecord(sent['hints']) ? sent['hints'] : {});
    const read = readCandidates(deps.decoder, textIn(sent, 'vin'), form.kind === 'hints' ? form.hints : {});
    if (read.kind === 'malformed') return undefined;
    const { report, ...answer } = read.answer;
    const usage = usageOf(deps, 'plan', 1);
    return { report: project('full', report), ...answer, usage, metadata: metadataFor(PLAN, report) };
  },
  'GET /api/usage': (deps) => {
    const day = isoDay(deps.nowMs);
    const charged = 42;
    const keys = [{ id: ID, name: 'production', key: 'mq_live_4fGh…x9Yz', charged }];
    const months = [{ month: day.slice(0, 7), charged, days: [{ day, charged }], keys }];
    return { usage: usageOf(deps, 'plan', charged), months };
  },
  'GET /api/reports': ({ nowMs }) => {
    const report = {
      id: ID,
      vin: '1HGCM82633A004352',
      expectedManufacturer: 'Honda',
      expectedModel: 'Accord',
      expectedBodyStyle: 'Coupe',
      expectedModelYear: '2003',
      expectedFields: { 'specs.fuelType': 'Diesel', 'specs.powerKw': 103 },
      note: 'The registration says 2003.',
      source: 'subscriber',
      state: 'queued',
      reason: null,
      createdAt: new Date(nowMs).toISOString(),
      decidedAt: null,
    };
    return { reports: [report], next: null };
  },
  'POST /api/report-decode-issue': () => both({ saved: true, source: 'public' }, { saved: true, source: 'subscriber' }),
  'POST /api/jobs': jobAnswer,
  'GET /api/jobs/{id}': jobAnswer,
  'POST /api/jobs/{id}/resume': jobAnswer,
  'GET /api/vin/{vin}': ({ ask }) => ask('/api/vin/1HGCM82633A004352'),
  'GET /api/catalog': ({ ask }) => ask('/api/catalog'),
  'GET /readyz': () => ({ status: 'ready' }),
};

/** Returns the answers to an operation's example call; undefined: none are known. `sent`: the call's body. */
export async function answersTo(
  operation: string,
  sent: unknown,
  deps: AnswerDeps,
): Promise<ExampleAnswer[] | undefined> {
  const answer = await ANSWERS[operation]?.(deps, sent);
  if (answer === undefined) return undefined;
  return Array.isArray(answer) ? answer : [{ name: undefined, body: answer }];
}

function both(without: unknown, withPlan: unknown): ExampleAnswer[] {
  return [
    { name: 'Without a key', body: without },
    { name: 'With a plan', body: withPlan },
  ];
}

/** Returns the result of a VIN of a batch. */
function resultOf(depth: Depth, report: VehicleReport) {
  const more = depth === 'full' ? { premiumFieldsAvailable: premiumFields(report) } : {};
  return { vin: report.vin, status: 'decoded', requestId: ID, report: project(depth, report), ...more };
}

/** Returns the usage after some decodes of this month. */
function usageOf({ limits, nowMs }: AnswerDeps, whose: keyof AnswerDeps['limits'], charged: number) {
  const now = new Date(nowMs);
  const resetAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
  const limit = limits[whose];
  return { limit, remaining: limit === null ? null : Math.max(0, limit - charged), resetAt };
}

function jobAnswer({ nowMs }: AnswerDeps) {
  return {
    id: ID,
    status: 'queued',
    vins: 2,
    done: 0,
    charged: 0,
    progress: 0,
    createdAt: new Date(nowMs).toISOString(),
    finishedAt: null,
    results: `/api/jobs/${ID}/results`,
    form: 'list',
    column: 'vin',
    encoding: null,
  };
}

function textIn(sent: unknown, name: string): string {
  const value = isRecord(sent) ? sent[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function listIn(sent: unknown, name: string): unknown[] {
  const value = isRecord(sent) ? sent[name] : undefined;
  return Array.isArray(value) ? value : [];
}
