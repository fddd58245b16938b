import type { ReportSummary } from '../index.ts';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { PostForm } from '../../kernel/ui/post-form.tsx';
import type { Column } from '../../kernel/ui/table.tsx';

/** Id of the form that decides on the ticked reports. */
const BULK_FORM = 'ticked';

/** Decides on the ticked reports. */
export function BulkForm({ action, fault }: { action: string; fault: string | undefined }) {
  return (
    <PostForm id={BULK_FORM} class="stack bulk" action={action}>
      <h2>Decide on the ticked reports</h2>
      <p class="hint">Accepting corrects one VIN each. A report that contradicts a labeled VIN stays in the queue.</p>
      <NoticeText tone="bad" text={fault} />
      <div class="field">
        <label for="bulk-reason">
          Reason (the reporters see it) <small>(optional when you accept)</small>
        </label>
        <textarea id="bulk-reason" name="reason" maxLength={2_000} rows={2} />
      </div>
      <div class="acts">
        <button class="first" name="act" value="accept">
          Accept the ticked reports
        </button>
        <button class="danger" name="act" value="reject">
          Reject the ticked reports
        </button>
      </div>
    </PostForm>
  );
}

/** Returns the column in which reports are ticked. */
export function tickColumn(ticked: ReadonlySet<string>): Column<ReportSummary> {
  return {
    head: 'Tick',
    kind: 'word',
    cell: ({ id, claim }) => (
      <input
        type="checkbox"
        name="report"
        value={id}
        checked={ticked.has(id)}
        form={BULK_FORM}
        aria-label={`Tick the report on ${claim.vin}`}
      />
    ),
  };
}
