import { count } from '../../kernel/ui/numbers.ts';
import { readAccuracy } from './accuracy.ts';
import { type Column, Table } from '../../kernel/ui/table.tsx';
import { andList } from '../../kernel/lists.ts';

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
        Every release is tested on vehicles whose make, model, year, and body are known: {andList(sizes)}. Each cell
        shows how many answers are right, and how many VINs get an answer.
      </p>
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
      <details>
        <summary>By region</summary>
        {SETS.map((set) => (
          <RegionTable key={set.name} set={set} />
        ))}
      </details>
    </section>
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

/** As American English sets it: without a space. */
function percent(text: string): string {
  return text.replace(' ', '');
}

/** The best-known figures in a sentence, for the top of the page; nothing where they are not at hand. */
export function AccuracyInBrief() {
  const shares = SETS.flatMap(({ name, fields }) => {
    const share = fields.find(({ label }) => label === 'Model')?.share;
    return share === undefined ? [] : [`${rounded(share.right)} ${placeText(name)}`];
  });
  if (shares.length === 0) return null;
  return (
    <p class="hint">
      Right model: {shares.join(', ')}.{' '}
      <a class="whole" href="#accuracy">
        How we measure
      </a>
    </p>
  );
}

/** To a tenth; what is not all right is not rounded to it. */
function rounded(text: string): string {
  const share = Number.parseFloat(text);
  return `${share < 100 ? Math.min(99.9, share).toFixed(1) : 100}%`;
}

function placeText(set: string): string {
  return set === 'Worldwide' ? 'worldwide' : `in ${set}`;
}

function Cell({ share }: { share: { right: string; answered: string } | undefined }) {
  if (share === undefined) return <>not measured</>;
  return (
    <>
      {percent(share.right)} <small>right, {percent(share.answered)}&nbsp;answered</small>
    </>
  );
}
