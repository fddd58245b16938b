import type { Candidate, Impact, ImpactCount, VinChange } from '../index.ts';
import { Notice, NoticeText } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { formOfCandidate } from './candidate-form.ts';
import { Table } from '../../kernel/ui/table.tsx';

/** The result of a preview. */
export type Previewed =
  | { kind: 'impact'; impact: Impact; candidate: Candidate }
  | { kind: 'invalid'; faults: readonly string[] };

/** The result of the submitted form, and its values. */
export interface ReviewOutcome {
  done?: string;
  faults?: readonly string[];
  form?: URLSearchParams;
  previewed?: Previewed;
}

/** The live region for previews. Empty until something is previewed. */
export function ImpactRegion({ reportId, previewed }: { reportId: string; previewed: Previewed | undefined }) {
  return (
    <div id="impact" aria-live="polite">
      {previewed === undefined ? null : <ImpactPart reportId={reportId} previewed={previewed} />}
    </div>
  );
}

/** What a correction would change, with the button that accepts it. */
export function ImpactPart({ reportId, previewed }: { reportId: string; previewed: Previewed }) {
  if (previewed.kind === 'invalid') return <Faults faults={previewed.faults} />;
  const { impact, candidate } = previewed;
  const harmed = impact.vins.filter(isHarm);
  return (
    <section class="stack">
      <h2>What would change</h2>
      <ul>
        <li>Labeled VINs, whose correct answer is known: {countText(impact.labelled)}.</li>
        <li>Recent decodes: {countText(impact.stored)}.</li>
      </ul>
      <NoticeText tone="bad" text={harmed.length === 0 ? undefined : contradictionText(harmed.length)} />
      <Table
        rows={impact.vins.flatMap(({ vin, from, changes }) => changes.map((change) => ({ vin, from, ...change })))}
        empty="No known VIN would change."
        columns={[
          { head: 'VIN', kind: 'name', cell: ({ vin }) => <VinText vin={vin} /> },
          { head: 'Known from', cell: ({ from }) => KNOWN_FROM[from] },
          { head: 'Field', cell: ({ field }) => field },
          { head: 'Before', cell: ({ before }) => (before === undefined ? '–' : <del>{before}</del>) },
          { head: 'After', cell: ({ after }) => (after === undefined ? '–' : <ins>{after}</ins>) },
          { head: 'Label', cell: ({ labelled }) => labelled ?? '–' },
        ]}
      />
      <form class="stack" method="post" action={`/admin/reports/${reportId}/accept`}>
        {formOfCandidate(candidate).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="field">
          <label for="accept-reason">
            Message to the reporter <small>(optional)</small>
          </label>
          <textarea id="accept-reason" name="reason" maxLength={2_000} />
        </div>
        {harmed.length === 0 ? null : (
          <label class="choice">
            <input type="checkbox" name="contradicts" value="accepted" required />
            Accept it even though it contradicts{' '}
            {harmed.length === 1 ? 'a labeled VIN' : `${harmed.length} labeled VINs`}
          </label>
        )}
        <button class="first" data-key="a">
          Accept the correction <kbd>Alt+A</kbd>
        </button>
      </form>
    </section>
  );
}

/** What is wrong with a form of a review. */
export function Faults({ faults }: { faults: readonly string[] }) {
  return (
    <Notice tone="bad">
      {faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </Notice>
  );
}

function countText({ looked, covered, changed }: ImpactCount): string {
  return `${count(changed)} of ${count(looked)} would change; the correction covers ${count(covered)}`;
}

/** The warning about labeled VINs whose correct answer a correction would change. */
export function contradictionText(harmed: number): string {
  return harmed === 1
    ? 'One labeled VIN is decoded correctly now and would be decoded incorrectly.'
    : `${harmed} labeled VINs are decoded correctly now and would be decoded incorrectly.`;
}

/** Whether a labeled VIN would move away from its label. */
export function isHarm({ changes }: VinChange): boolean {
  return changes.some(
    ({ before, after, labelled }) => labelled !== undefined && before === labelled && after !== labelled,
  );
}

const KNOWN_FROM: Readonly<Record<VinChange['from'], string>> = {
  reported: 'the report',
  labelled: 'the labeled VINs',
  stored: 'a recent decode',
};
