import { BODY_STYLES } from '@marque/decoder';

import { OVERRIDABLE_FIELDS } from '../fields.ts';
import type { Review, Scope } from '../index.ts';
import { Field, Select } from '../../kernel/ui/fields.tsx';
import { fieldText, type FormField, formFields } from './candidate-form.ts';
import { ImpactRegion, type ReviewOutcome } from './impact.tsx';

/** Fields of a claim, which are always offered. */
const CLAIMED = ['manufacturer', 'model', 'bodyStyle', 'bodyStyleNormalized', 'modelYear'];

/** What can be decided about a report in its state. */
export function DecisionForms({ review, result }: { review: Review; result: ReviewOutcome }) {
  const { id, state, vin, decidedBy, reason } = review.report;
  if (state === 'accepted') {
    return (
      <section>
        <h2>Accepted{decidedBy === null ? '' : ` by ${decidedBy.replace(/^admin:/, '')}`}</h2>
        {reason === null || reason === '' ? null : <p>{reason}</p>}
        <ReasonForm
          id={id}
          act="revert"
          says="Within two seconds, every instance decodes as if the correction had never been made."
          button="Revert the correction"
          shortcut="x"
        />
      </section>
    );
  }
  if (state !== 'queued') {
    return (
      <section>
        <h2>
          Decided{decidedBy === null ? '' : ` by ${decidedBy.replace(/^admin:/, '')}`}: {state}
        </h2>
        {reason === null || reason === '' ? null : <p>{reason}</p>}
      </section>
    );
  }
  return (
    <section>
      <h2>Decide</h2>
      {vin === null ? null : <CandidateForm review={review} result={result} />}
      {vin === null ? null : <ImpactRegion reportId={id} previewed={result.previewed} />}
      <ReasonForm
        id={id}
        act="reject"
        says="This closes the report and its duplicates. The reporter sees the reason."
        button="Reject the report"
        shortcut="x"
      />
      <Supersede review={review} />
    </section>
  );
}

/** Closes a report that another one has settled: offered if a similar one was accepted. */
function Supersede({ review: { report, similar } }: { review: Review }) {
  const settling = similar.filter(({ state }) => state === 'accepted');
  if (settling.length === 0) return null;
  const options = settling.map(({ id, claim }) => ({
    value: id,
    text: [claim.vin, claim.expectedModelYear, claim.expectedManufacturer, claim.expectedModel].join(' '),
  }));
  return (
    <details>
      <summary>Close it as settled by another report</summary>
      <form class="stack" method="post" action={`/admin/reports/${report.id}/supersede`}>
        <Select label="The report that settles it" name="settled-by" options={options} />
        <button>Close as settled</button>
      </form>
    </details>
  );
}

function ReasonForm(props: { id: string; act: 'reject' | 'revert'; says: string; button: string; shortcut: string }) {
  const { id, act, says, button, shortcut } = props;
  return (
    <details class="sure">
      <summary data-key={shortcut}>
        {button} <kbd>Alt+{shortcut.toUpperCase()}</kbd>
      </summary>
      <p>{says}</p>
      <form class="stack" method="post" action={`/admin/reports/${id}/${act}`}>
        <div class="field">
          <label for={`${act}-reason`}>Reason (the reporter sees it)</label>
          <textarea id={`${act}-reason`} name="reason" maxLength={2_000} required />
        </div>
        <button class="danger">{button}</button>
      </form>
    </details>
  );
}

function CandidateForm({ review, result }: { review: Review; result: ReviewOutcome }) {
  const path = `/admin/reports/${review.report.id}/preview`;
  return (
    <form class="stack" method="post" action={path} hx-post={path} hx-target="#impact" hx-swap="innerHTML">
      <ScopeFields review={review} form={result.form} />
      <fieldset>
        <legend>Fields to set</legend>
        <p class="hint">Leave a ticked field empty to remove it.</p>
        {fieldsToOffer(review, result.form).map((field) => (
          <FieldChoice key={field.path} field={field} />
        ))}
        <div class="row">
          <Select
            label="Another field"
            name="other-path"
            options={[{ value: '', text: 'none' }, ...OVERRIDABLE_FIELDS.map((value) => ({ value, text: value }))]}
          />
          <Field label="Value" name="other-value" isOptional maxLength={400} />
        </div>
      </fieldset>
      <button data-key="p">
        Preview the changes <kbd>Alt+P</kbd>
      </button>
    </form>
  );
}

function FieldChoice({ field: { path, isUsed, text } }: { field: FormField }) {
  return (
    <div class="choice-row">
      <label class="choice">
        <input type="checkbox" name={`use:${path}`} checked={isUsed} />
        {path}
      </label>
      {path === 'bodyStyleNormalized' ? (
        <select name={`value:${path}`} aria-label={`Value of ${path}`}>
          {BODY_STYLES.map((style) => (
            <option key={style} value={style} selected={style === text}>
              {style}
            </option>
          ))}
        </select>
      ) : (
        <input name={`value:${path}`} value={text} maxLength={400} aria-label={`Value of ${path}`} />
      )}
    </div>
  );
}

/** The fields as submitted, or else with the values that would make the claim true. */
function fieldsToOffer({ suggestion, now }: Review, form: URLSearchParams | undefined): FormField[] {
  if (form !== undefined) return formFields(form);
  const suggested = suggestion?.fields ?? {};
  const answers: Record<string, unknown> = { ...now?.report };
  return [...new Set([...CLAIMED, ...Object.keys(suggested)])].map((path) => {
    const isUsed = Object.hasOwn(suggested, path);
    const answer = answers[path];
    return { path, isUsed, text: isUsed ? fieldText(suggested[path]) : typeof answer === 'string' ? answer : '' };
  });
}

function ScopeFields({ review, form }: { review: Review; form: URLSearchParams | undefined }) {
  const pattern = review.suggestedPattern;
  const held = (name: string, suggested: string): string => form?.get(name) ?? suggested;
  const isPattern = form?.get('scope') === 'pattern';
  const [from, to] = pattern?.kind === 'pattern' ? pattern.years : [null, null];
  return (
    <fieldset>
      <legend>Which VINs to correct</legend>
      <label class="choice">
        <input type="radio" name="scope" value="vin" checked={!isPattern} />
        This VIN only
      </label>
      <label class="choice">
        <input type="radio" name="scope" value="pattern" checked={isPattern} />
        Every VIN with this pattern
      </label>
      <div class="row">
        <Field
          label="WMI"
          name="wmi"
          value={held('wmi', patternPart(pattern, 'wmi'))}
          isOptional
          isMono
          maxLength={6}
        />
        <Field
          label="Pattern from position 4"
          name="pattern"
          value={held('pattern', patternPart(pattern, 'pattern'))}
          isOptional
          isMono
          maxLength={80}
          hint="A dot for any character, [A-C] for a set."
        />
        <Field label="First model year" name="from" value={held('from', yearText(from))} isOptional maxLength={4} />
        <Field label="Last model year" name="to" value={held('to', yearText(to))} isOptional maxLength={4} />
      </div>
    </fieldset>
  );
}

function patternPart(scope: Scope | null, part: 'wmi' | 'pattern'): string {
  return scope?.kind === 'pattern' ? scope[part] : '';
}

function yearText(year: number | null): string {
  return year === null ? '' : String(year);
}
