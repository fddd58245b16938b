import { readVin } from '@marque/decoder';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import {
  type Claim,
  correctionsIn,
  publicReporter,
  queueFull,
  refuseStorms,
  reportLimits,
} from '../../corrections/index.ts';
import { answeredIn, claimOf, faultsIn, ReportForm } from '../../corrections/pages/index.ts';
import { project } from '../../decode/index.ts';
import { Details, Actions, Corrected, CorrectedFrom } from '../../decode/pages/index.ts';
import { findVisitorDecode, type StoredDecode } from '../../metering/index.ts';
import { existing } from '../../people/index.ts';
import { REPORT_FILES, sendReportFile, titleDetails, vehicleTitle, whyOf } from '../../report/index.ts';
import { ReportView } from '../../report/pages/index.ts';
import { inTurn } from '../in-turn.ts';
import type { Caller } from '../../workspaces/index.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { HttpError } from '../../kernel/http/http-error.ts';
import type { WorkTurns } from '../../kernel/limits/work-turns.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { formOf } from '../../kernel/ui/forms.ts';
import { sendPage } from '../../kernel/ui/html.tsx';
import { dayText } from '../../kernel/ui/times.tsx';
import type { SiteParts } from '../slice.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';
import { decodedPath, decodeIdIn } from './visitor-address.ts';

/**
 * The most days for which a visitor's decode can be opened by its address: anyone with the address sees the answer.
 */
const OPEN_DAYS = 7;

/** Returns for how many days a visitor's decode can be opened: no longer than decodes are kept. */
function openDays({ config }: PageKit): number {
  return Math.min(OPEN_DAYS, config.decodeLogRetentionDays);
}

type Asked = FastifyRequest<{ Params: { id: string } }>;

/** Returns true if a VIN was not erased, or stored in part. */
function isWhole(vin: string): boolean {
  return readVin(vin).kind === 'vin';
}

/**
 * Adds the address of each decode that a visitor made: to come back to, to send on, to save, and to report as wrong.
 */
export function addDecoded(scope: FastifyInstance, deps: SiteParts & PageKit, turns: WorkTurns): void {
  const limit = reportLimits(deps.rateLimit).public;
  const find = async ({ params }: Asked): Promise<StoredDecode> => {
    const id = existing(decodeIdIn(deps.secret, params.id));
    return existing(await findVisitorDecode(deps.database, id, deps.clock() - openDays(deps) * DAY_MS));
  };
  const corrected = async (decode: StoredDecode): Promise<StoredDecode> => ({
    ...decode,
    report: (await deps.corrections.correctedSince(decode.report)).report,
  });
  scope.get<{ Params: { id: string } }>('/decoded/:id', async (request, reply) => {
    const { isSaved = false } = deps.flash.take<{ isSaved: boolean }>(reply) ?? {};
    return sendDecoded(deps, turns, reply, { decode: await find(request), isSaved });
  });
  for (const form of REPORT_FILES) {
    scope.get<{ Params: { id: string } }>(`/decoded/:id/${form}`, async (request, reply) => {
      const { vin, report } = await corrected(await find(request));
      return sendReportFile(reply, form, vin, project('basic', report));
    });
  }
  scope.post<{ Params: { id: string } }>('/decoded/:id/report', async (request, reply) => {
    const decode = await find(request);
    const { vin, report } = await corrected(decode);
    if (!isWhole(vin)) throw new HttpError(422, 'Only the decode of a whole VIN can be reported as wrong.');
    const form = formOf(request);
    form.set('vin', vin);
    const claim = claimOf(form);
    const faults = faultsIn(claim, { vin, note: '', ...answeredIn(report) });
    if (faults.size > 0) return sendDecoded(deps, turns, reply, { decode, claim, faults });
    const reporter = publicReporter(await visitorOf(deps, request));
    await refuseStorms(limit, reporter.clientId, deps.clock());
    const actualReport = project('basic', report);
    const outcome = await deps.corrections.submit({ reporter, source: 'public', claim, actualReport });
    if (outcome.kind === 'full') throw queueFull(outcome);
    // The browser would keep the fragment of the form's address, and show the form again.
    return deps.flash.redirect(reply, `${decodedPath(deps.secret, decode.id)}#content`, { isSaved: true });
  });
}

/**
 * Returns the user of a page of the site: the public, by network address, regardless of any key that a browser sends.
 */
export async function visitorOf(
  { access }: SiteParts,
  request: FastifyRequest,
): Promise<Extract<Caller, { kind: 'public' }>> {
  const { 'x-forwarded-for': forwardedFor } = request.headers;
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const caller = await access.identify({ headers, address: request.socket.remoteAddress });
  if (caller.kind !== 'public') throw new HttpError(401, 'The API key is invalid or inactive.');
  return caller;
}

interface Shown {
  decode: StoredDecode;
  isSaved?: boolean;
  claim?: Claim;
  faults?: ReadonlyMap<string, string>;
}

async function sendDecoded(
  deps: SiteParts & PageKit,
  turns: WorkTurns,
  reply: FastifyReply,
  { decode, isSaved = false, ...reported }: Shown,
): Promise<FastifyReply> {
  const corrected = await deps.corrections.correctedSince(decode.report);
  return inTurn(turns, deps.networkOf(reply.request), () => {
    const original = project('basic', decode.report);
    const report = project('basic', corrected.report);
    const changes = correctionsIn(corrected.changes, [report, original]);
    // One that was erased, or stored in part, is shown as it is: the decoder explains whole VINs only.
    const why = isWhole(decode.vin) ? whyOf(deps.decoder.explain(decode.vin), report, false) : new Map();
    return sendPage(reply.header('x-robots-tag', 'noindex'), {
      title: vehicleTitle(report),
      status: reported.faults === undefined ? 200 : 422,
      children: (
        <>
          <NoticeText
            tone="good"
            text={isSaved ? 'Your report is saved. An administrator will review it.' : undefined}
          />
          <h1>{vehicleTitle(report)}</h1>
          <Details text={titleDetails(report)} />
          <p class="hint no-print">
            Decoded on {dayText(decode.createdAtMs)} (UTC). Anyone with this address can open it until{' '}
            {dayText(decode.createdAtMs + openDays(deps) * DAY_MS)}. <a href="/">Decode another VIN</a>
          </p>
          <h2 class="unseen">Report</h2>
          <Corrected changes={changes} original={original} />
          <ReportView
            report={report}
            body={{ report }}
            moreFields=""
            plans="/#plans"
            why={why}
            beside={({ path }) => <CorrectedFrom path={path} changes={changes} />}
          >
            <VisitorTools
              decode={{ ...decode, report: corrected.report }}
              path={decodedPath(deps.secret, decode.id)}
              baseUrl={deps.baseUrl()}
              {...reported}
            />
          </ReportView>
        </>
      ),
    });
  });
}

interface ToolsProps {
  decode: Pick<StoredDecode, 'vin' | 'report'>;
  /** The address of the decode. */
  path: string;
  baseUrl: string;
  claim?: Claim;
  faults?: ReadonlyMap<string, string>;
}

/** Shows a visitor's actions on a decode. */
export function VisitorTools({ decode: { vin, report }, path, baseUrl, claim, faults }: ToolsProps) {
  const answered = { vin, note: '', ...answeredIn(report) };
  return (
    <div class="stack no-print">
      <Actions path={path} query="" vin={vin} link={`${baseUrl}${path}`} />
      {isWhole(vin) ? (
        <details open={faults !== undefined}>
          <summary>Report this decode as wrong</summary>
          <ReportForm action={`${path}/report#wrong`} claim={claim ?? answered} faults={faults ?? new Map()} isOfVin />
        </details>
      ) : null}
    </div>
  );
}
