import { InvalidArgumentError, Option } from 'commander';

import { operator } from './actor.ts';
import type { Command } from './command.ts';
import {
  createWorkspace,
  type LimitChoice,
  listWorkspaces,
  type PlanLimits,
  setPlan,
  type Workspace,
} from '../features/access/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type Plan, PLANS } from '../platform/db/index.ts';
import { CommandError, type Io, write, writeHint, writeJson, writeTable } from './io.ts';
import { noWorkspace, placeOf, withDatabase } from './settings.ts';

interface PlanOptions {
  plan: Plan;
  monthlyLimit?: LimitChoice;
  json?: boolean;
}

/** Adds `workspace create|list|set-plan`. */
export function addWorkspace(workspace: Command, io: Io): void {
  workspace.reads('DATA_DIR', 'DATABASE_URL');

  workspace
    .command('create')
    .description('make a workspace')
    .argument('<slug>', 'its name in headers and commands: lower-case letters, digits, and hyphens')
    .addOption(planOption().default('free'))
    .addOption(limitOption())
    .option('--json', 'print the workspace as JSON')
    .action(async (slug: string, options: PlanOptions) => create(io, slug, options));

  workspace
    .command('list')
    .description('all workspaces')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: boolean }) => list(io, options));

  workspace
    .command('set-plan')
    .description('change the plan of a workspace; every instance follows within two seconds')
    .argument('<slug>', 'the workspace')
    .addOption(planOption().makeOptionMandatory())
    .addOption(limitOption())
    .option('--json', 'print the workspace as JSON')
    .action(async (slug: string, options: PlanOptions) => changePlan(io, slug, options));
}

async function create(io: Io, slug: string, { plan, monthlyLimit, json }: PlanOptions): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const { planLimits } = config;
    const wanted = { slug, plan, ...(monthlyLimit === undefined ? {} : { limit: monthlyLimit }) };
    const created = await createWorkspace({ database, clock: systemClock }, wanted, operator());
    if (created.kind === 'slug-taken') throw new CommandError(`There is a workspace ${slug} already.`);
    if (created.kind === 'bad-slug') {
      throw new CommandError(
        `"${slug}" cannot be a workspace's name. Use up to 63 lower-case letters, digits, and hyphens, no hyphen at either end.`,
      );
    }
    await show(io, shown(created.workspace, planLimits), json);
    if (json !== true) await writeHint(io, `Next: marque key create --workspace ${slug} --name NAME\n`);
  });
}

async function list(io: Io, { json }: { json?: boolean }): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const { planLimits } = config;
    const workspaces = (await listWorkspaces(database)).map((workspace) => shown(workspace, planLimits));
    if (json === true) return writeJson(io.stdout, workspaces);
    if (workspaces.length === 0) {
      const place = placeOf(config);
      return writeHint(
        io,
        `There is no workspace in ${place} yet. Make one: marque workspace create SLUG --plan PLAN\n`,
      );
    }
    const rows = workspaces.map(({ slug, plan, monthlyLimit, createdAt, suspended }) => [
      slug,
      plan,
      String(monthlyLimit ?? 'none'),
      createdAt.slice(0, 10),
      suspended ? 'suspended' : 'active',
    ]);
    return writeTable(io.stdout, ['Workspace', 'Plan', 'Monthly limit', 'Created', 'State'], rows);
  });
}

async function changePlan(io: Io, slug: string, { plan, monthlyLimit, json }: PlanOptions): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const { planLimits } = config;
    const wanted = { plan, ...(monthlyLimit === undefined ? {} : { limit: monthlyLimit }) };
    const workspace = await setPlan({ database, clock: systemClock }, slug, wanted, operator());
    if (workspace === undefined) throw noWorkspace(slug, config);
    await show(io, shown(workspace, planLimits), json);
  });
}

interface ShownWorkspace {
  id: string;
  slug: string;
  plan: Plan;
  /** Decodes a month as they count now; null: no limit. */
  monthlyLimit: number | null;
  limitFrom: 'plan' | 'workspace';
  suspended: boolean;
  createdAt: string;
}

function shown({ id, slug, plan, limit, suspendedAtMs, createdAtMs }: Workspace, limits: PlanLimits): ShownWorkspace {
  const own = limit.kind === 'fixed' ? limit.limit : null;
  return {
    id,
    slug,
    plan,
    monthlyLimit: limit.kind === 'plan' ? limits[plan] : own,
    limitFrom: limit.kind === 'plan' ? 'plan' : 'workspace',
    suspended: suspendedAtMs !== null,
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

async function show(io: Io, workspace: ShownWorkspace, json: boolean | undefined): Promise<void> {
  if (json === true) return writeJson(io.stdout, workspace);
  const { slug, plan, monthlyLimit } = workspace;
  const limit = monthlyLimit === null ? 'no monthly limit' : `${monthlyLimit} decodes a month`;
  return write(io.stdout, `Workspace ${slug}: plan ${plan}, ${limit}.\n`);
}

function planOption(): Option {
  return new Option('--plan <plan>', 'what it may see and how much').choices(PLANS);
}

function limitOption(): Option {
  return new Option('--monthly-limit <n|none|plan>', "decodes a month: a number, none, or the plan's").argParser(
    (text): LimitChoice => {
      if (text === 'none' || text === 'plan') return { kind: text };
      if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Give a whole number, none, or plan.');
      return { kind: 'fixed', limit: Number(text) };
    },
  );
}
