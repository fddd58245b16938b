import { BODY_STYLES } from '@marque/decoder';

import { isListField, isNumberField, OVERRIDABLE_FIELDS } from '../fields.ts';
import type { ProposedOverride, FieldValue, Review, Scope } from '../index.ts';
import { named } from '../../kernel/audit/index.ts';
import { Field, Select } from '../../kernel/ui/fields.tsx';
import { PROPOSAL_FORM, ImpactRegion, type ReviewOutcome } from './impact.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { fieldLabel } from '../../report/index.ts';
import { stateText } from './report-state.tsx';
import { textField } from '../../kernel/ui/forms.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Fields of a claim, which are always offered. */
const CLAIMED = ['manufacturer', 'model', 'bodyStyle', 'bodyStyleNormalized', 'modelYear'];

interface DecisionProps {
  review: Review;
  result: ReviewOutcome;
  /** Names for who decided. */
  names: ReadonlyMap<string, string>;
}

/** The decisions that a report's state allows, next to their effect. */
export function Decision({ review, result, names }: DecisionProps) {
  const { id, state, vin } = review.report;
  if (state === 'queued') {
    return (
      <div class="beside">
        <section>
          <h2>Decide</h2>
          {vin === null ? null : <CandidateForm review={review} result={result} />}
          <ReasonForm
            id={id}
            act="reject"
            says="This closes the report and its duplicates. The reporter sees the reason."
            button="Reject the report"
            shortcut="x"
          />
          <Supersede review={review} />
        </section>
        {vin === null ? null : <ImpactRegion reportId={id} previewed={result.previewed} />}
      </div>
    );
  }
  return (
    <section>
      <Decided report={review.report} names={names} />
      {state === 'accepted' ? (
        <ReasonForm
          id={id}
          act="revert"
          says="Within two seconds, every instance decodes as if the correction had never been made."
          button="Revert the correction"
          shortcut="x"
        />
      ) : null}
    </section>
  );
}

function Decided({
  report: { state, decidedBy, reason },
  names,
}: Pick<DecisionProps, 'names'> & Pick<Review, 'report'>) {
  const said = stateText(state);
  // Only administrators decide on pages: their address identifies them.
  const by = decidedBy === null ? '' : ` by ${named(decidedBy, names).replace(/^admin /, '')}`;
  return (
    <>
      <h2>{`${said.charAt(0).toUpperCase()}${said.slice(1)}${by}`}</h2>
      {reason === null || reason === '' ? null : <p>{reason}</p>}
    </>
  );
}

/** Closes a report that another one has resolved: offered if a similar one was accepted. */
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
      <PostForm class="stack" action={`/admin/reports/${report.id}/supersede`}>
        <Select label="The report that settles it" name="settled-by" options={options} />
        <button>Close as settled</button>
      </PostForm>
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
      <PostForm class="stack" action={`/admin/reports/${id}/${act}`}>
        <div class="field">
          <label for={`${act}-reason`}>Reason (the reporter sees it)</label>
          <textarea id={`${act}-reason`} name="reason" maxLength={2_000} required />
        </div>
        <button class="danger">{button}</button>
      </PostForm>
    </details>
  );
}

function CandidateForm({ review, result }: { review: Review; result: ReviewOutcome }) {
  const path = `/admin/reports/${review.report.id}/preview`;
  const offered = fieldsToOffer(review, result.form);
  const used = offered.filter(({ isUsed }) => isUsed);
  const others = offered.filter(({ isUsed }) => !isUsed);
  const live = { 'hx-post': path, 'hx-target': '#impact', 'hx-swap': 'innerHTML', 'hx-include': `#${PROPOSAL_FORM}` };
  return (
    <PostForm id={PROPOSAL_FORM} class="stack" action={path}>
      <div class="stack" hx-trigger="change delay:200ms" {...live}>
        <fieldset>
          <legend>Fields to set</legend>
          <p class="hint">Leave a ticked field empty to remove it.</p>
          {used.map((field) => (
            <FieldChoice key={field.path} field={field} />
          ))}
          <details open={used.length === 0}>
            <summary>Set another field</summary>
            {others.map((field) => (
              <FieldChoice key={field.path} field={field} />
            ))}
            <div class="row">
              <Select
                label="Another field"
                name="other-path"
                options={[
                  { value: '', text: 'None' },
                  ...OVERRIDABLE_FIELDS.map((value) => ({ value, text: fieldLabel(value) })),
                ]}
              />
              <Field label="Value" name="other-value" isOptional maxLength={400} />
            </div>
          </details>
        </fieldset>
        <ScopeFields review={review} form={result.form} />
      </div>
      <button data-key="p" formnovalidate {...live}>
        Preview the changes <kbd>Alt+P</kbd>
      </button>
    </PostForm>
  );
}

function FieldChoice({ field: { path, isUsed, text } }: { field: FormField }) {
  return (
    <div class="choice-row">
      <label class="choice">
        <input type="checkbox" name={`use:${path}`} checked={isUsed} />
        {fieldLabel(path)}
      </label>
      {path === 'bodyStyleNormalized' ? (
        <select name={`value:${path}`} aria-label={`Value of ${fieldLabel(path)}`}>
          {BODY_STYLES.map((style) => (
            <option key={style} value={style} selected={style === text}>
              {style}
            </option>
          ))}
        </select>
      ) : (
        <input name={`value:${path}`} value={text} maxLength={400} aria-label={`Value of ${fieldLabel(path)}`} />
      )}
    </div>
  );
}

/** Returns the fields as submitted, or else with the values that would make the claim true. */
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
  const { suggestedPattern: pattern, patternCovers } = review;
  const held = (name: string, suggested: string | undefined): string => form?.get(name) ?? suggested ?? '';
  const isPattern = form?.get('scope') === 'pattern';
  const [from, to] = pattern?.years ?? [null, null];
  return (
    <fieldset class="scope">
      <legend>Which VINs to correct</legend>
      <label class="choice">
        <input type="radio" name="scope" value="vin" checked={!isPattern} />
        This VIN only
      </label>
      <label class="choice">
        <input type="radio" name="scope" value="pattern" checked={isPattern} />
        Every VIN like it ({patternCovers === 1 ? 'one VIN' : `${count(patternCovers)} VINs`} among recent decodes)
      </label>
      <div class="row of-pattern">
        <Field label="WMI" name="wmi" value={held('wmi', pattern?.wmi)} isOptional isMono maxLength={6} />
        <Field
          label="Pattern from position 4"
          name="pattern"
          value={held('pattern', pattern?.pattern)}
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

function yearText(year: number | null): string {
  return year === null ? '' : String(year);
}

/** A field of a correction as in the form. */
interface FormField {
  path: string;
  isUsed: boolean;
  /** Empty: the field is left out of answers. */
  text: string;
}

/** Returns the submitted form, to be validated by `corrections/`. */
export function proposalOf(form: URLSearchParams, vin: string): ProposedOverride {
  const used = formFields(form).filter(({ isUsed }) => isUsed);
  const fields = Object.fromEntries(used.map(({ path, text }) => [path, valueOf(path, text)]));
  return { scope: scopeOf(form, vin), fields };
}

/** Reads the fields of a form, the free one last if it names a field. */
function formFields(form: URLSearchParams): FormField[] {
  const named = [...form.keys()]
    .filter((name) => name.startsWith('value:'))
    .map((name) => name.slice('value:'.length))
    .map((path) => ({ path, isUsed: form.has(`use:${path}`), text: textField(form, `value:${path}`, 400) }));
  const other = textField(form, 'other-path', 60);
  const isNew = other !== '' && !named.some(({ path }) => path === other);
  return isNew ? [...named, { path: other, isUsed: true, text: textField(form, 'other-value', 400) }] : named;
}

/** Returns a value as the form shows it. */
function fieldText(value: FieldValue | null | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function valueOf(path: string, text: string): FieldValue | null {
  if (text === '') return null;
  if (isNumberField(path)) return Number(text);
  if (!isListField(path)) return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function scopeOf(form: URLSearchParams, vin: string): Scope {
  if (form.get('scope') !== 'pattern') return { kind: 'vin', vin };
  return {
    kind: 'pattern',
    wmi: textField(form, 'wmi', 6).toUpperCase(),
    pattern: textField(form, 'pattern', 80).toUpperCase(),
    years: [yearOf(form, 'from'), yearOf(form, 'to')],
  };
}

function yearOf(form: URLSearchParams, name: string): number | null {
  const text = textField(form, name, 8);
  // Anything but a number is rejected by the rules for proposals, with a message.
  return text === '' ? null : Number(text);
}
