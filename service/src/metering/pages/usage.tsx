import type { FastifyInstance, FastifyReply } from 'fastify';

import { monthOf } from '../../kernel/db/month.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf, formStatus, textField } from '../../kernel/ui/forms.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { monthText } from '../../kernel/ui/times.tsx';
import { findKeys, listKeys, workspaceSubject } from '../../workspaces/index.ts';
import {
  actingIn,
  actorOf,
  ownerOnly,
  type PageRequest,
  workspaceRoutes,
  sendPortalPage,
} from '../../workspaces/pages/index.ts';
import { alertsOf, MOST_ALERTS, readAlerts, setAlerts } from '../alerts.ts';
import { usageCsv } from '../export.ts';
import { keyUsage, usageByDay, usageReport } from '../report.ts';
import { AlertForm } from './alert-form.tsx';
import { monthName, type NamedKey, PORTAL_KEY } from './month-views.tsx';
import { mostUsed, UsagePage } from './usage-views.tsx';

/** Keys on the page: the most used ones. */
const MOST_KEYS = 25;

/** The result of a form, or its error. */
interface Result {
  done?: string;
  /** The text typed, and its error. */
  typed?: string;
  fault?: string;
}

/** Adds the portal's first page: usage. */
export function addUsage(scope: FastifyInstance, deps: PageKit): void {
  const routes = workspaceRoutes(scope, deps);
  routes.get('', (page) => sendUsage(deps, page, deps.flash.take<Result>(page.reply) ?? {}));

  routes.get('/usage.csv', async ({ reply, context: { workspace }, turn }) => {
    const rows = await usageByDay(deps.database, workspaceSubject(workspace.id), deps.clock(), turn);
    const ids = [...new Set(rows.map(({ key_id: id }) => id))];
    const keys = [...(await findKeys(deps.database, workspace.id, ids, turn)).values()];
    const text = await usageCsv(rows, new Map(keys.map(({ id, name }) => [id, name])), turn);
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${workspace.slug}-usage.csv"`)
      .send(text);
  });

  routes.post('/alerts', async (page) => {
    ownerOnly(page.context);
    const form = formOf(page.request);
    const typed = textField(form, 'percents', 60);
    // An empty field takes all alerts away, and a form without it none.
    const percents = form.has('percents') ? readAlerts(typed) : undefined;
    if (percents === undefined) {
      const fault = `Give up to ${MOST_ALERTS} whole numbers from 1 to 100, such as 50, 80, 100.`;
      return sendUsage(deps, page, { typed, fault });
    }
    const { workspace, limit, home } = page.context;
    await setAlerts(actingIn(deps, page.context), { id: workspace.id, limit }, percents, actorOf(page.context));
    const done = percents.length === 0 ? 'Alerts are no longer mailed.' : 'The alerts are saved.';
    return deps.flash.redirect(page.reply, home, { done });
  });
}

async function sendUsage(deps: PageKit, page: PageRequest, { done, typed, fault }: Result): Promise<FastifyReply> {
  const { home, limit, workspace, role } = page.context;
  const { month: wanted, key: keyId } = page.request.query;
  const nowMs = deps.clock();
  const subject = workspaceSubject(workspace.id);
  const [months, anyKeys, percents] = await Promise.all([
    usageReport(deps.database, subject, nowMs, page.turn),
    listKeys(deps.database, workspace.id, { limit: 1 }),
    alertsOf(deps.database, workspace.id),
  ]);
  const place = Math.max(
    0,
    months.findIndex(({ startMs }) => monthName(startMs) === wanted),
  );
  const window = monthOf(months[place]?.startMs ?? nowMs);
  const used = mostUsed(months[place], months[place + 1]);
  const wantedIds = [...used.slice(0, MOST_KEYS), ...(keyId === undefined ? [] : [keyId])];
  const known = await findKeys(deps.database, workspace.id, wantedIds);
  const named: NamedKey[] = [
    ...[...known.values()].map(({ id, name, prefix, last4 }) => ({ id, name, looksLike: `${prefix}…${last4}` })),
    PORTAL_KEY,
  ];
  const key = named.find(({ id }) => id === (keyId === 'portal' ? '' : keyId));
  const { startMs } = window;
  const ofKey = key === undefined ? undefined : await keyUsage(deps.database, subject, { keyId: key.id, startMs });
  const keys = used.slice(0, MOST_KEYS).flatMap((id) => named.find((one) => one.id === id) ?? []);
  const hasKey = anyKeys.length > 0;
  const view = { home, nowMs, window, limit, months, place, keys, hasKey, isCut: used.length > MOST_KEYS, key, ofKey };
  return sendPortalPage(page, {
    tab: '',
    title: place === 0 ? 'Usage' : `Usage in ${monthText(window.startMs)}`,
    status: formStatus(fault),
    children: (
      <>
        <NoticeText tone="good" text={done} />
        <UsagePage {...view} />
        <AlertForm
          {...{ home, limit, percents, typed, fault }}
          isOwner={role === 'owner'}
          sendsMail={deps.config.smtpUrl !== undefined}
        />
      </>
    ),
  });
}
