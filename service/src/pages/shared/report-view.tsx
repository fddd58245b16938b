import { REPORT_ENTRIES } from '@marque/decoder';

/** Labels and units of the fields of a report that pages show. */
const LABELS = REPORT_ENTRIES.flatMap(([path, { label, unit }]) =>
  label === undefined ? [] : [[path, label, unit] as const],
);

/** A report as a list of what it says. Give it cut to what its reader may see. */
export function ReportList({ report }: { report: Record<string, unknown> }) {
  const rows = reportRows(report);
  return (
    <dl class="fields">
      {rows.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One field of a report for people: with its unit, thousands apart. */
interface ReportRow {
  label: string;
  text: string;
}

/** The report's fields that have a value. */
function reportRows(report: Record<string, unknown>): ReportRow[] {
  return LABELS.flatMap(([path, label, unit]) => {
    const value = valueAt(report, path);
    const text = display(value);
    if (text === undefined) return [];
    return [{ label, text: unit === undefined ? text : `${text}\u00a0${unit}` }];
  });
}

/** What the vehicle is, in one line: "2003 Honda Accord". */
export function vehicleTitle(report: Record<string, unknown>): string {
  const parts = ['modelYear', 'manufacturer', 'model'].map((path) => display(report[path]));
  const known = parts.filter((part) => part !== undefined);
  return report['manufacturer'] === undefined ? 'Not identified' : known.join(' ');
}

/** JSON as it is sent, indented for reading. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json" tabindex={0} role="region" aria-label={label}>
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}

function valueAt(report: Record<string, unknown>, path: string): unknown {
  let value: unknown = report;
  for (const step of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  return value;
}

function display(value: unknown): string | undefined {
  if (typeof value === 'number') return value.toLocaleString('en-US');
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(', ');
  return typeof value === 'string' && value !== '' ? value : undefined;
}
