import { count } from '../../platform/ui/numbers.ts';
import { readAccuracy } from './accuracy.ts';
import { type Column, Table } from '../../platform/ui/table.tsx';

const REGION_FIELDS = ['Make', 'Model', 'Model year', 'Body style', 'Fuel'] as const;

const SETS = readAccuracy();

/** How often answers are right, by field and by region; nothing where the figures are not at hand. */
export function AccuracySection() {
  if (SETS.length === 0) return null;
  const sizes = SETS.map(
    ({ size, name }) => `${count(size)} (${name.toLowerCase() === 'worldwide' ? 'worldwide' : name})`,
  );
  return (
    <section id="accuracy" aria-labelledby="accuracy-title">
      <h2 id="accuracy-title">How accurate it is</h2>
      <p>
        Every release is measured on vehicles whose make, model, year and body are known: {sizes.join(' and ')}. Each
        cell says how many of the answers are right, and for how many VINs there is an answer.
      </p>
      <FieldTable />
      <details>
        <summary>By region</summary>
        {SETS.map((set) => (
          <RegionTable key={set.name} set={set} />
        ))}
      </details>
    </section>
  );
}

function FieldTable() {
  return (
    <Table
      rows={REGION_FIELDS}
      columns={[
        { head: 'Field', kind: 'name', cell: (label) => label },
        ...SETS.map(({ name, fields }): Column<string> => ({
          head: name,
          kind: 'figure',
          cell: (label) => <Cell share={fields.find((field) => field.label === label)?.share} />,
        })),
      ]}
    />
  );
}

function RegionTable({ set: { name, regions } }: { set: (typeof SETS)[number] }) {
  return (
    <Table
      caption={`${
        name === 'Worldwide' ? 'Vehicles from around the world' : 'Vehicles of the North American market'
      }, by where they were built`}
      rows={regions}
      columns={[
        { head: 'Built in', kind: 'name', cell: (region) => region.name },
        ...REGION_FIELDS.map((field, place): Column<(typeof regions)[number]> => ({
          head: field,
          kind: 'figure',
          cell: ({ shares }) => <Cell share={shares[place]} />,
        })),
      ]}
    />
  );
}

function Cell({ share }: { share: { right: string; answered: string } | undefined }) {
  if (share === undefined) return <>not measured</>;
  return (
    <>
      {share.right.replace(' ', '\u00a0')} <small>right, {share.answered.replace(' ', '\u00a0')}&nbsp;answered</small>
    </>
  );
}
