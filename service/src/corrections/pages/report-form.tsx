import type { VehicleReport } from '@marque/decoder';

import { textAt } from '../apply.ts';
import { faultsInFurther, FURTHER_FIELDS } from '../fields.ts';
import type { Claim } from '../index.ts';
import { Field } from '../../kernel/ui/fields.tsx';
import { textField } from '../../kernel/ui/forms.ts';
import { fieldLabel } from '../../report/index.ts';
import { PostForm } from '../../kernel/ui/post-form.tsx';

/** Fields of a report: label and length of each, as in the API. */
const CLAIM_FIELDS = {
  vin: ['VIN', 64],
  expectedManufacturer: ['Correct make', 120],
  expectedModel: ['Correct model', 160],
  expectedBodyStyle: ['Correct body style', 120],
  expectedModelYear: ['Correct model year', 32],
  note: ['How do you know?', 2_000],
} as const satisfies Record<Exclude<keyof Claim, 'expectedFields'>, readonly [string, number]>;

type NamedField = keyof typeof CLAIM_FIELDS;

/** Before the path of a further field, in a form and in an address. */
const FURTHER = 'field:';

const MISSING = 'Fill this in. If you do not know, write "unknown".';
const EXPECTED = ['expectedManufacturer', 'expectedModel', 'expectedBodyStyle', 'expectedModelYear'] as const;

/** Returns the faults of a claim by field, compared with the answer. */
export function faultsIn(claim: Claim, answered: Claim): Map<string, string> {
  const { expectedFields = {}, ...named } = claim;
  const missing = Object.entries(named).filter(([, text]) => text === '');
  const faults = new Map(missing.map(([name]) => [name, MISSING]));
  for (const [path, text] of Object.entries(expectedFields)) {
    const [fault] = faultsInFurther({ [path]: text }, fieldLabel);
    if (fault !== undefined) faults.set(FURTHER + path, fault);
  }
  const isUnchanged = Object.keys(expectedFields).length === 0;
  if (faults.size === 0 && isUnchanged && EXPECTED.every((name) => claim[name] === answered[name])) {
    faults.set('expectedModel', 'This is what Marque answered. Change what is wrong.');
  }
  return faults;
}

/** Returns a report's answer in the form of a claim, so that only wrong values need changing. */
export function answeredIn(report: VehicleReport): Pick<Claim, (typeof EXPECTED)[number]> {
  const { manufacturer = '', model = '', bodyStyle, bodyStyleNormalized, modelYear = '' } = report;
  const category = bodyStyleNormalized === 'unknown' ? '' : bodyStyleNormalized;
  return {
    expectedManufacturer: manufacturer,
    expectedModel: model,
    expectedBodyStyle: bodyStyle ?? category,
    expectedModelYear: modelYear,
  };
}

/** Reads the claim from a form. Further fields count if they differ from the answer. */
export function claimOf(form: URLSearchParams, answered?: object): Claim {
  const text = (name: NamedField): string => textField(form, name, CLAIM_FIELDS[name][1]);
  const further = FURTHER_FIELDS.flatMap((path) => {
    const value = textField(form, FURTHER + path, 200);
    return value === '' || value === textAt(answered ?? {}, path) ? [] : [[path, value]];
  });
  const expectedFields: Record<string, string> = Object.fromEntries(further);
  return {
    ...(further.length > 0 && { expectedFields }),
    vin: text('vin'),
    expectedManufacturer: text('expectedManufacturer'),
    expectedModel: text('expectedModel'),
    expectedBodyStyle: text('expectedBodyStyle'),
    expectedModelYear: text('expectedModelYear'),
    note: text('note'),
  };
}

interface ReportFormProps {
  action: string;
  claim: Claim;
  faults: ReadonlyMap<string, string>;
  /** True if the page names its VIN. */
  isOfVin?: boolean;
  /** The answer: its further fields can be reported. Unset: none of them. */
  answered?: object | undefined;
  /** The path of the field that a reader called wrong. */
  wrong?: string;
}

/** The form for a report of a wrong decode. */
export function ReportForm(props: ReportFormProps) {
  const { action, claim, faults, isOfVin = false, answered, wrong = '' } = props;
  const field = (name: NamedField) => {
    const [label, maxLength] = CLAIM_FIELDS[name];
    return (
      <Field
        label={label}
        name={name}
        value={claim[name]}
        maxLength={maxLength}
        isMono={name === 'vin'}
        {...(name === 'note' && { rows: 3 })}
        fault={faults.get(name)}
        isFocused={wrong !== '' && name === NAMED_BY_PATH[wrong]}
      />
    );
  };
  return (
    <section id="wrong">
      <h2>Report a wrong decode</h2>
      {claim.expectedManufacturer === '' ? null : (
        <p>The form shows what Marque answered. Change only what is wrong.</p>
      )}
      <PostForm class="stack report-form" action={action}>
        {isOfVin ? null : field('vin')}
        <div class="row">
          {field('expectedManufacturer')}
          {field('expectedModel')}
        </div>
        <div class="row">
          {field('expectedBodyStyle')}
          {field('expectedModelYear')}
        </div>
        {answered === undefined ? null : (
          <FurtherFields claim={claim} faults={faults} answered={answered} wrong={wrong} />
        )}
        {field('note')}
        <button class="first">Send the report</button>
      </PostForm>
    </section>
  );
}

/** The names of a claim's own fields, by their paths in the report. */
const NAMED_BY_PATH: Readonly<Record<string, NamedField>> = {
  manufacturer: 'expectedManufacturer',
  model: 'expectedModel',
  bodyStyle: 'expectedBodyStyle',
  possibleBodyStyles: 'expectedBodyStyle',
  modelYear: 'expectedModelYear',
};

/** Shows every other field: the one called wrong is visible, the rest are folded. */
function FurtherFields({
  claim,
  faults,
  answered,
  wrong,
}: Pick<ReportFormProps, 'claim' | 'faults'> & { answered: object; wrong: string }) {
  const further = (path: string) => (
    <Field
      key={path}
      label={fieldLabel(path)}
      name={FURTHER + path}
      value={String(claim.expectedFields?.[path] ?? textAt(answered, path) ?? '')}
      maxLength={200}
      isOptional
      fault={faults.get(FURTHER + path)}
      isFocused={path === wrong}
    />
  );
  const isOpen = (path: string): boolean =>
    path === wrong || claim.expectedFields?.[path] !== undefined || faults.has(FURTHER + path);
  const open = FURTHER_FIELDS.filter(isOpen);
  return (
    <>
      {open.length === 0 ? null : <div class="question-grid">{open.map(further)}</div>}
      <details>
        <summary>Other fields: engine, power, dimensions</summary>
        <div class="question-grid">{FURTHER_FIELDS.filter((path) => !isOpen(path)).map(further)}</div>
      </details>
    </>
  );
}
