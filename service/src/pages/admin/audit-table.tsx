import type { AuditEntry } from '../../platform/audit/index.ts';
import { Moment } from '../../platform/ui/times.tsx';

/** Entries of the audit log, as they stand in it. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <p class="empty">What is done will stand here, with who did it and why.</p>;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">When (UTC)</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">To what</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ seq, atMs, actor, action, subject, details }) => (
          <tr key={seq}>
            <td data-label="When (UTC)">
              <Moment ms={atMs} />
            </td>
            <td data-label="Who">{actor}</td>
            <td data-label="What">{action}</td>
            <td data-label="To what">
              <a href={`/admin/audit?subject=${encodeURIComponent(subject)}`}>{subject}</a>
            </td>
            <td data-label="Details">
              <Details details={details} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
