import { Fault, Field } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { RESULT_FORMS } from '../export.ts';

const ACCEPTED = `.csv,.tsv,.txt,.jsonl,.ndjson,.xlsx,.parquet,text/csv,${RESULT_FORMS.xlsx.type}`;

/** The texts of the form. */
export interface UploadFields {
  column?: string;
  encoding?: string;
  pasted?: string;
}

/** The longest pasted text that a refusal shows again, in characters. */
export const SHOWN_AGAIN = 65_536;

interface UploadFormProps {
  home: string;
  fault: string | undefined;
  /** The texts of a form that was refused. */
  typed: UploadFields | undefined;
  mostRows: number;
}

/** The form that takes a file in. */
export function UploadForm({ home, fault, typed = {}, mostRows }: UploadFormProps) {
  const { column, encoding, pasted: again = '' } = typed;
  const [fileFault, pastedFault] = again === '' ? [fault] : [undefined, fault];
  return (
    <form class="stack report-form" method="post" action={`${home}/files`} encType="multipart/form-data">
      <div class="row">
        <div class="field">
          <label for="file">CSV, .xlsx, or Parquet file</label>
          <input
            id="file"
            type="file"
            name="file"
            accept={ACCEPTED}
            aria-describedby="file-hint"
            {...faultyBy('file-fault file-hint', fileFault)}
          />
          <p class="hint" id="file-hint">
            Up to {count(mostRows)} rows. Each VIN that is decoded is charged once; rows without a VIN are free.
          </p>
          <Fault id="file-fault" text={fileFault} />
        </div>
        <Field
          label="Column of VINs"
          name="column"
          value={column}
          isOptional
          maxLength={120}
          hint="Its name or number. Leave empty to detect it."
        />
        <Field
          label="Encoding"
          name="encoding"
          value={encoding}
          isOptional
          maxLength={40}
          hint="Of a text file that is not UTF-8, such as windows-1252. Leave empty to detect it."
        />
      </div>
      <details open={again !== ''}>
        <summary>Paste VINs instead</summary>
        <div class="field">
          <label for="pasted">One VIN per line, or CSV</label>
          <textarea
            id="pasted"
            name="pasted"
            class="mono"
            spellcheck={false}
            {...faultyBy('pasted-fault', pastedFault)}
          >
            {again}
          </textarea>
          <Fault id="pasted-fault" text={pastedFault} />
        </div>
      </details>
      <p class="hint">You see what the file contains before anything is charged.</p>
      <button class="first">Check the file</button>
    </form>
  );
}

/** Returns the attributes of the field that was refused, at which the form that comes back begins; none for others. */
function faultyBy(id: string, fault: string | undefined) {
  return fault === undefined ? {} : ({ 'aria-describedby': id, 'aria-invalid': 'true', autofocus: true } as const);
}
