import type { ComponentChildren } from 'preact';

import { CodeBlock, Copyable } from '../../kernel/ui/copyable.tsx';
import { VinPlate } from '../../kernel/ui/vin-plate.tsx';
import { BodyDrawing } from './body-drawing.tsx';
import { positionsText, type Why } from '../why.ts';
import { type ReportRow, type RowGroup, rowGroups } from '../report-rows.ts';

interface ReportViewProps {
  report: Record<string, unknown>;
  /** The content of the JSON tab. */
  body: unknown;
  /** Text about fields that a higher plan would show; empty: none. */
  moreFields: string;
  /** The address of the plans. */
  plans: string;
  /** Reasons for the fields' values, by path. */
  why?: ReadonlyMap<string, Why> | undefined;
  /** Returns the content beside a row's value. */
  beside?: ((row: ReportRow) => ComponentChildren) | undefined;
  /** Shown between the plate and the fields. */
  children?: ComponentChildren;
}

/** A report as people read it: plate, drawing, groups of fields, and the JSON one click away. */
export function ReportView({ report, body, moreFields, plans, why, beside, children }: ReportViewProps) {
  const groups = rowGroups(report);
  const measured = groups.find(({ rows }) => rows.some(({ usText }) => usText !== undefined));
  return (
    <div class="vehicle">
      <VinPlate vin={String(report['vin'])} report={report} hidesPlant={moreFields.split(', ').includes('plant')} />
      {report['manufacturer'] === undefined ? <p>The report shows only the parts of the VIN.</p> : null}
      {children}
      <div class="groups">
        <BodyDrawing report={report} />
        {groups.map((group) => (
          <Group key={group.title} group={group} hasUnits={group === measured} why={why} beside={beside} />
        ))}
      </div>
      {moreFields === '' ? null : (
        <p class="more-fields">
          A paid plan also shows: {moreFields}. <a href={plans}>Compare plans</a>
        </p>
      )}
      <details class="no-print">
        <summary>JSON</summary>
        <Copyable id="answer-json">
          <Json value={body} label="The answer as JSON" id="answer-json" />
        </Copyable>
      </details>
    </div>
  );
}

/** Fields that belong together; the first that measures anything carries the switch of units. */
function Group(props: { group: RowGroup; hasUnits: boolean } & Pick<ReportViewProps, 'why' | 'beside'>) {
  const { group, hasUnits, why, beside } = props;
  const { title, rows } = group;
  return (
    <section>
      <div class="group-head">
        <h3>{title}</h3>
        {hasUnits ? <UnitSwitch /> : null}
      </div>
      <dl class="fields">
        {rows.map((row) => (
          <Row key={row.label} row={row} why={why?.get(row.path)}>
            {beside?.(row)}
          </Row>
        ))}
      </dl>
    </section>
  );
}

function Row(props: { row: ReportRow; why: Why | undefined; children: ComponentChildren }) {
  const { why, children } = props;
  const { label, text, usText, part } = props.row;
  const lit = why?.positions.map((position) => ` y${position}`).join('') ?? '';
  return (
    <div class={`settled at-${part}${lit}`} tabindex={0}>
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
        {why === undefined ? null : <Reason label={label} why={why} />}
        {children}
      </dd>
    </div>
  );
}

/** Opened, it lights the positions on the plate. */
function Reason({ label, why: { positions, grounds = '' } }: { label: string; why: Why }) {
  const says = positions.length === 0 ? 'Follows from the fields above.' : `${positionsText(positions)} of the VIN.`;
  return (
    <details class="why no-print">
      <summary>
        Why? <span class="unseen">{label}</span>
      </summary>
      {says} {grounds}
    </details>
  );
}

/** Switches units by the stylesheet alone; the script remembers the choice. */
function UnitSwitch() {
  return (
    <fieldset class="units no-print" data-remember="units">
      <legend class="unseen">Units</legend>
      <label>
        <input class="unseen" type="radio" name="units" value="metric" checked /> <span>Metric</span>
      </label>
      <label>
        <input class="unseen" type="radio" name="units" value="us" /> <span>US</span>
      </label>
    </fieldset>
  );
}

/** The JSON of an answer, indented. */
export function Json({ value, label, id }: { value: unknown; label: string; id?: string }) {
  return <CodeBlock label={label} code={JSON.stringify(value, null, 2)} {...(id !== undefined && { id })} isJson />;
}
