import { InvalidArgumentError, Option } from 'commander';

import { operator, placeOf, withDatabase } from '../../kernel/cli/settings.ts';
import type { Command } from '../../kernel/cli/command.ts';
import {
  closedAmong,
  createWorkspace,
  type LimitChoice,
  listWorkspaces,
  type PlanLimits,
  setPlan,
  type Workspace,
} from '../index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { CommandError, type Io, type JsonOption, writeHint, writeList, writeOutcome } from '../../kernel/cli/io.ts';
import { openWorkspaceNamed } from './named.ts';
import { type Plan, PLANS } from '../plan.ts';

interface PlanOptions extends JsonOption {
  plan: Plan;
  monthlyLimit?: LimitChoice;
}

/** Adds `workspace create|list|set-plan`. */
export function define(workspace: Command, io: Io): void {
  workspace.reads('DATA_DIR', 'DATABASE_URL');

  workspace
    .command('create')
    .description('create a workspace')
    .argument('<slug>', 'its name in headers and commands: lowercase letters, digits, and hyphens')
    .addOption(planOption().default('free'))
    .addOption(limitOption())
    .option('--json', 'print the workspace as JSON')
    .action(async (slug: string, options: PlanOptions) => create(io, slug, options));

  workspace
    .command('list')
    .description('list all workspaces')
    .option('--json', 'print them as JSON')
    .action(async (options: JsonOption) => list(io, options));

  workspace
    .command('set-plan')
    .description(
      'change the plan of a workspace, its monthly limit, or both; every instance applies it within two seconds',
    )
    .argument('<slug>', 'the workspace')
    .allowExcessArguments()
    .addOption(planOption())
    .addOption(limitOption())
    .option('--json', 'print the workspace as JSON')
    .action(async (slug: string, options: Partial<PlanOptions>, { args }: { args: string[] }) => {
      const [, plan] = args;
      if (plan !== undefined) throw new InvalidArgumentError(`Give the plan as an option: --plan ${plan}.`);
      await changePlan(io, slug, options);
    });
}

async function create(io: Io, slug: string, { plan, monthlyLimit, json }: PlanOptions): Promise<void> {
  await withDatabase(io, async (database, { planLimits }) => {
    const wanted = { slug, plan, ...(monthlyLimit === undefined ? {} : { limit: monthlyLimit }) };
    const created = await createWorkspace({ database, clock: systemClock }, wanted, operator());
    if (created.kind === 'slug-taken') throw new CommandError(`There is already a workspace ${slug}.`);
    if (created.kind === 'bad-slug') {
      throw new CommandError(
        `"${slug}" is not a valid workspace name. Use up to 63 lowercase letters, digits, and hyphens, with no hyphen at either end.`,
      );
    }
    await show(io, shown(created.workspace, planLimits), json);
    if (json !== true) await writeHint(io, `Next: marque key create --workspace ${slug} --name NAME\n`);
  });
}

async function list(io: Io, options: JsonOption): Promise<void> {
  await withDatabase(io, async (database, config) => {
    const listed = await listWorkspaces(database);
    const closed = await closedAmong(database, listed);
    const workspaces = listed.map((workspace) =>
      Object.assign(shown(workspace, config.planLimits), { closed: closed.has(workspace.id) }),
    );
    const columns = {
      Workspace: ({ slug }: ShownWorkspace) => slug,
      Plan: ({ plan }: ShownWorkspace) => plan,
      'Monthly limit': ({ monthlyLimit }: ShownWorkspace) => String(monthlyLimit ?? 'none'),
      Created: ({ createdAt }: ShownWorkspace) => createdAt.slice(0, 10),
      State: (workspace: ShownWorkspace & { closed: boolean }) => stateOf(workspace),
    };
    const empty = `There are no workspaces in ${placeOf(config)} yet. To create one: marque workspace create SLUG --plan PLAN`;
    return writeList(io, options, workspaces, columns, empty);
  });
}

async function changePlan(io: Io, slug: string, { plan, monthlyLimit, json }: Partial<PlanOptions>): Promise<void> {
  if (plan === undefined && monthlyLimit === undefined) {
    throw new InvalidArgumentError('Give --plan, --monthly-limit, or both.');
  }
  await withDatabase(io, async (database, config) => {
    const wanted = {
      ...(plan === undefined ? {} : { plan }),
      ...(monthlyLimit === undefined ? {} : { limit: monthlyLimit }),
    };
    const before = await openWorkspaceNamed(database, slug, config);
    const workspace = await setPlan({ database, clock: systemClock }, slug, wanted, operator());
    await show(io, shown(workspace ?? before, config.planLimits), json);
  });
}

type ShownWorkspace = ReturnType<typeof shown>;

function stateOf({ suspended, closed }: ShownWorkspace & { closed: boolean }): string {
  if (closed) return 'closed';
  return suspended ? 'suspended' : 'active';
}

function shown({ id, slug, plan, limit, suspendedAtMs, createdAtMs }: Workspace, limits: PlanLimits) {
  const own = limit.kind === 'fixed' ? limit.limit : null;
  return {
    id,
    slug,
    plan,
    /** Decodes a month as they count now; null: no limit. */
    monthlyLimit: limit.kind === 'plan' ? limits[plan] : own,
    limitFrom: limit.kind === 'plan' ? 'plan' : 'workspace',
    suspended: suspendedAtMs !== null,
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

async function show(io: Io, workspace: ShownWorkspace, json: boolean | undefined): Promise<void> {
  const { slug, plan, monthlyLimit } = workspace;
  const limit = monthlyLimit === null ? 'no monthly limit' : `${monthlyLimit.toLocaleString('en-US')} decodes a month`;
  return writeOutcome(io, { json }, workspace, `Workspace ${slug}: plan ${plan}, ${limit}.`);
}

function planOption(): Option {
  return new Option('--plan <plan>', 'which fields it sees, and how many decodes it has').choices(PLANS);
}

function limitOption(): Option {
  return new Option(
    '--monthly-limit <n|none|plan>',
    'decodes per month: a number, none (no limit), or plan (the limit of the plan)',
  ).argParser((text): LimitChoice => {
    if (text === 'none' || text === 'plan') return { kind: text };
    if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Give a whole number, none, or plan.');
    return { kind: 'fixed', limit: Number(text) };
  });
}
