import { VinPlate } from '../../platform/ui/vin-plate.tsx';
import { BodyDrawing } from './body-drawing.tsx';
import { type ReportRow, rowGroups } from './report-rows.ts';

interface ReportViewProps {
  report: Record<string, unknown>;
  /** What the JSON tab holds. */
  body: unknown;
  /** Fields that a higher plan would show. */
  moreFields: number;
  /** Where plans are shown. */
  plans: string;
}

/** A report as people read it: plate, drawing, groups of fields, and the JSON one click away. */
export function ReportView({ report, body, moreFields, plans }: ReportViewProps) {
  const groups = rowGroups(report);
  const isMeasured = groups.some(({ rows }) => rows.some(({ usText }) => usText !== undefined));
  return (
    <div class="vehicle">
      <VinPlate vin={String(report['vin'])} report={report} />
      <div class="report-head">
        <BodyDrawing report={report} />
        {isMeasured ? <UnitSwitch /> : null}
      </div>
      {report['manufacturer'] === undefined ? (
        <p>The catalog does not know this vehicle. The report holds the parts of the VIN only.</p>
      ) : null}
      <div class="groups">
        {groups.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl class="fields">
              {rows.map((row) => (
                <Row key={row.label} row={row} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      {moreFields === 0 ? null : (
        <p class="more-fields">
          {moreFields === 1 ? 'One more field is' : `${moreFields} more fields are`} known about this vehicle, such as
          engine, plant or dimensions. <a href={plans}>Compare the plans</a> that show{' '}
          {moreFields === 1 ? 'it' : 'them'}.
        </p>
      )}
      <details class="no-print">
        <summary>JSON</summary>
        <div class="copyable">
          <Json value={body} label="The answer as JSON" id="answer-json" />
          <button type="button" class="second" data-copy="answer-json" hidden>
            Copy
          </button>
        </div>
      </details>
    </div>
  );
}

function Row({ row: { label, text, usText, part } }: { row: ReportRow }) {
  return (
    <div class={`settled at-${part}`} tabindex={0}>
      <dt>{label}</dt>
      <dd>
        {usText === undefined ? (
          text
        ) : (
          <>
            <span class="metric">{text}</span>
            <span class="us">{usText}</span>
          </>
        )}
      </dd>
    </div>
  );
}

/** Works by the stylesheet alone; the script remembers what was chosen. */
function UnitSwitch() {
  return (
    <fieldset class="units no-print" data-remember="units">
      <legend>Units</legend>
      <label class="choice">
        <input type="radio" name="units" value="metric" checked /> Metric
      </label>
      <label class="choice">
        <input type="radio" name="units" value="us" /> US
      </label>
    </fieldset>
  );
}

/** JSON as it is sent, indented for reading. */
export function Json({ value, label, id }: { value: unknown; label: string; id?: string }) {
  return (
    <pre class="json" tabindex={0} role="region" aria-label={label}>
      <code id={id}>{JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}
