import type { AuditEntry } from '../../platform/audit/index.ts';
import { Moment } from '../../platform/ui/times.tsx';
import { named } from './audit-names.ts';
import { Table } from '../../platform/ui/table.tsx';

/** Entries of the audit log; what they name by id is shown by its name. */
export function AuditTable({ entries, names }: { entries: readonly AuditEntry[]; names: ReadonlyMap<string, string> }) {
  return (
    <Table
      rows={entries}
      empty="Every change appears here, with who made it and why."
      columns={[
        { head: 'When (UTC)', cell: ({ atMs }) => <Moment ms={atMs} /> },
        { head: 'Who', cell: ({ actor }) => named(actor, names) },
        { head: 'What', kind: 'word', cell: ({ action }) => action },
        {
          head: 'To what',
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
  const known = Object.entries(details).filter(([, value]) => value !== null && value !== '');
  if (known.length === 0) return <>–</>;
  return (
    <>
      {known.map(([name, value]) => (
        <div key={name}>
          {name}: {typeof value === 'string' ? (names.get(value) ?? value) : JSON.stringify(value)}
        </div>
      ))}
    </>
  );
}
