import type { VehicleReport } from '@marque/decoder';

import type { Claim } from '../index.ts';
import { Field } from '../../kernel/ui/fields.tsx';
import { textField } from '../../kernel/ui/forms.ts';

/** What a report asks for: label and length of each field, as in the API. */
const CLAIM_FIELDS = {
  vin: ['VIN', 64],
  expectedManufacturer: ['Correct make', 120],
  expectedModel: ['Correct model', 160],
  expectedBodyStyle: ['Correct body style', 120],
  expectedModelYear: ['Correct model year', 32],
  note: ['How do you know?', 2_000],
} as const satisfies Record<keyof Claim, readonly [string, number]>;

const MISSING = 'Fill this in. If you do not know, write "unknown".';
const EXPECTED = ['expectedManufacturer', 'expectedModel', 'expectedBodyStyle', 'expectedModelYear'] as const;

/** What is wrong with which field of a claim, against what was answered. */
export function faultsIn(claim: Claim, answered: Claim): Map<string, string> {
  const missing = Object.entries(claim).filter(([, text]) => text === '');
  const faults = new Map(missing.map(([name]) => [name, MISSING]));
  if (faults.size === 0 && EXPECTED.every((name) => claim[name] === answered[name])) {
    faults.set('expectedModel', 'This is what Marque answered. Change what is wrong.');
  }
  return faults;
}

/** What a report answered, as a claim says it, so that only what is wrong is changed. */
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

/** The claim that a form holds. */
export function claimOf(form: URLSearchParams): Claim {
  const text = (name: keyof Claim): string => textField(form, name, CLAIM_FIELDS[name][1]);
  return {
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
  /** Whether the page says which VIN it is about. */
  isOfVin?: boolean;
}

/** The form for a report of a wrong decode. */
export function ReportForm({ action, claim, faults, isOfVin = false }: ReportFormProps) {
  const field = (name: keyof Claim) => {
    const [label, maxLength] = CLAIM_FIELDS[name];
    return (
      <Field
        label={label}
        name={name}
        value={claim[name]}
        maxLength={maxLength}
        isMono={name === 'vin'}
        fault={faults.get(name)}
      />
    );
  };
  return (
    <section id="wrong">
      <h2>Report a wrong decode</h2>
      {claim.expectedManufacturer === '' ? null : (
        <p>The form shows what Marque answered. Change only what is wrong.</p>
      )}
      <form class="stack report-form" method="post" action={action}>
        {isOfVin ? null : field('vin')}
        <div class="row">
          {field('expectedManufacturer')}
          {field('expectedModel')}
        </div>
        <div class="row">
          {field('expectedBodyStyle')}
          {field('expectedModelYear')}
        </div>
        {field('note')}
        <button class="first">Send the report</button>
      </form>
    </section>
  );
}
