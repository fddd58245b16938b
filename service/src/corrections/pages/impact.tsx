import {
  concernOf,
  type ProposedOverride,
  type FieldChange,
  type Impact,
  type ImpactCount,
  type VinChange,
} from '../index.ts';
import { Notice, NoticeText } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { VinText } from '../../kernel/ui/vin-plate.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { fieldLabel } from '../../report/index.ts';

/** ID of the form with the correction: the button that accepts it is outside the form, next to the effect. */
export const PROPOSAL_FORM = 'proposal';

/** Returns the correction whose effect was shown: only that one is accepted. */
export function previewedText(proposal: ProposedOverride): string {
  return JSON.stringify(proposal);
}

/** The result of a preview. */
export type Previewed =
  | { kind: 'impact'; impact: Impact; proposal: ProposedOverride }
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

/** Shows the effect of a correction, with the button that accepts it. */
export function ImpactPart({ reportId, previewed }: { reportId: string; previewed: Previewed }) {
  if (previewed.kind === 'invalid') return <Faults faults={previewed.faults} />;
  const { impact, proposal } = previewed;
  const concern = concernOf(proposal, impact);
  return (
    <section class="stack">
      <h2>What would change</h2>
      <ul>
        {impact.labelled.looked === 0 ? null : (
          <li>{countText(impact.labelled, 'labeled VINs, whose correct answer is known,')}</li>
        )}
        <li>{countText(impact.stored, 'recent decodes')}</li>
      </ul>
      <NoticeText tone="bad" text={concern} />
      <input type="hidden" name="previewed" value={previewedText(proposal)} form={PROPOSAL_FORM} />
      <div class="field">
        <label for="accept-reason">
          Message to the reporter <small>(optional)</small>
        </label>
        <textarea id="accept-reason" name="reason" maxLength={2_000} rows={2} form={PROPOSAL_FORM} />
      </div>
      {concern === undefined ? null : (
        <label class="choice">
          <input type="checkbox" name="contradicts" value="accepted" required form={PROPOSAL_FORM} />
          Accept it anyway
        </label>
      )}
      <button class="first" data-key="a" form={PROPOSAL_FORM} formaction={`/admin/reports/${reportId}/accept`}>
        Accept the correction <kbd>Alt+A</kbd>
      </button>
      <Table
        rows={[...Map.groupBy(impact.vins, ({ vin }) => vin).values()]}
        empty="No known VIN would change."
        columns={[
          {
            head: 'VIN',
            kind: 'name',
            cell: (alike) => (
              <>
                <VinText vin={alike[0]?.vin ?? ''} />
                <small class="known-from">{alike.map(({ from }) => KNOWN_FROM[from]).join(', ')}</small>
              </>
            ),
          },
          {
            head: 'Change',
            cell: (alike) => changesOf(alike).map((change) => <Change key={change.field} {...change} />),
          },
        ]}
      />
    </section>
  );
}

/** Returns the changes to one VIN, which may come from several places, with its label if there is one. */
function changesOf(alike: readonly VinChange[]): FieldChange[] {
  const changes = alike.flatMap((known) => known.changes);
  return [...Map.groupBy(changes, ({ field }) => field).values()].flatMap(
    (same) => same.find(({ labelled }) => labelled !== undefined) ?? same[0] ?? [],
  );
}

/** A field of a VIN before and after. */
export function Change({ field, before, after, labelled }: FieldChange) {
  return (
    <div>
      {fieldLabel(field)}: {before === undefined ? null : <del>{before}</del>}{' '}
      {after === undefined ? 'left out' : <ins>{after}</ins>}
      {labelled === undefined ? '' : ` (label: ${labelled})`}
    </div>
  );
}

/** Shows the faults of a form of a review. */
export function Faults({ faults }: { faults: readonly string[] }) {
  return (
    <Notice tone="bad">
      {faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </Notice>
  );
}

function countText({ looked, changed }: ImpactCount, what: string): string {
  return `${count(changed)} of ${count(looked)} ${what} would change.`;
}

const KNOWN_FROM: Readonly<Record<VinChange['from'], string>> = {
  reported: 'this report',
  labelled: 'a labeled VIN',
  stored: 'a recent decode',
};
