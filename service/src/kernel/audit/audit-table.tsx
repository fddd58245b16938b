import { type AuditEntry, named } from './index.ts';
import { Moment } from '../ui/times.tsx';
import { Table } from '../ui/table.tsx';

/** Shows entries of the audit log; things named by id are shown by name. */
export function AuditTable({ entries, names }: { entries: readonly AuditEntry[]; names: ReadonlyMap<string, string> }) {
  return (
    <Table
      rows={entries}
      empty="Every change appears here, with who made it and why."
      columns={[
        { head: 'When', cell: ({ atMs }) => <Moment ms={atMs} /> },
        { head: 'Who', cell: ({ actor }) => named(actor, names) },
        { head: 'Action', kind: 'word', cell: ({ action }) => action },
        {
          head: 'Target',
          kind: 'code',
          cell: ({ subject }) => (
            <a href={`/admin/audit?subject=${encodeURIComponent(subject)}`}>{named(subject, names)}</a>
          ),
        },
        { head: 'Details', cell: ({ details }) => <Details details={details} names={names} /> },
      ]}
    />
  );
}

function Details({
  details,
  names,
}: {
  details: Readonly<Record<string, unknown>>;
  names: ReadonlyMap<string, string>;
}) {
  const known = Object.entries(details).filter(([, value]) => value !== null && detailText(value, names) !== '');
  if (known.length === 0) return <>–</>;
  return (
    <>
      {known.map(([name, value]) => (
        <div key={name}>
          {detailName(name)}: {detailText(value, names)}
        </div>
      ))}
    </>
  );
}

/** Returns a name in the log as text: `looksLike` is "looks like", and `specs.fuelType` "fuel type". */
function detailName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns a detail as people read it: lists and objects without their brackets, and a kind by its name alone. */
function detailText(value: unknown, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return value.map((item) => detailText(item, names)).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => [...(name === 'kind' ? [] : [detailName(name)]), detailText(part, names)].join(' '))
      .join(', ');
  }
  const text = String(value);
  return names.get(text) ?? text;
}
