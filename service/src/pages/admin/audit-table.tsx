import type { AuditEntry } from '../../platform/audit/index.ts';
import { Moment } from '../../platform/ui/times.tsx';
import { Table } from '../../platform/ui/table.tsx';

/** Entries of the audit log, as they stand in it. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table
      rows={entries}
      empty="Every change appears here, with who made it and why."
      columns={[
        { head: 'When (UTC)', cell: ({ atMs }) => <Moment ms={atMs} /> },
        { head: 'Who', cell: ({ actor }) => actor },
        { head: 'What', kind: 'word', cell: ({ action }) => action },
        {
          head: 'To what',
          cell: ({ subject }) => <a href={`/admin/audit?subject=${encodeURIComponent(subject)}`}>{subject}</a>,
        },
        { head: 'Details', cell: ({ details }) => <Details details={details} /> },
      ]}
    />
  );
}

function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const known = Object.entries(details).filter(([, value]) => value !== null && value !== '');
  if (known.length === 0) return <>–</>;
  return (
    <>
      {known.map(([name, value]) => (
        <div key={name}>
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </div>
      ))}
    </>
  );
}
