import { count } from '../../platform/ui/numbers.ts';
import { readAccuracy } from './accuracy.ts';

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
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {SETS.map(({ name }) => (
            <th key={name} scope="col" class="figure">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {REGION_FIELDS.map((label) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {SETS.map(({ name, fields }) => {
              const share = fields.find((field) => field.label === label)?.share;
              return (
                <td key={name} class="figure" data-label={name}>
                  {share === undefined ? 'not measured' : <Cell {...share} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RegionTable({ set: { name, regions } }: { set: (typeof SETS)[number] }) {
  return (
    <table class="cards">
      <caption>
        {name === 'Worldwide' ? 'Vehicles from around the world' : 'Vehicles of the North American market'}, by where
        they were built
      </caption>
      <thead>
        <tr>
          <th scope="col">Built in</th>
          {REGION_FIELDS.map((field) => (
            <th key={field} scope="col" class="figure">
              {field}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {regions.map((region) => (
          <tr key={region.name}>
            <th scope="row">{region.name}</th>
            {REGION_FIELDS.map((field, place) => {
              const share = region.shares[place];
              return (
                <td key={field} class="figure" data-label={field}>
                  {share === undefined ? 'not measured' : <Cell {...share} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ right, answered }: { right: string; answered: string }) {
  return (
    <>
      {right.replace(' ', '\u00a0')} <small>right, {answered.replace(' ', '\u00a0')}&nbsp;answered</small>
    </>
  );
}
