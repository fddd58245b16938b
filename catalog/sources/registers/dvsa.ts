import { builtBetween, register } from './register.ts';

/** The largest span of years: dates further apart give no year. */
const MOST_YEARS = 6;

export const dvsa = register({
  title: 'Recalls in the United Kingdom (DVSA)',
  publisher: 'Driver and Vehicle Standards Agency',
  market: 'europe',
  licence: 'Open Government Licence 3.0',
  url: 'https://www.check-vehicle-recalls.service.gov.uk/',
  columns: {
    make: ['Make'],
    name: ['Model'],
    first: ['VIN Start'],
    last: ['VIN End'],
    from: ['Build Start'],
    to: ['Build End'],
  },
  required: ['make', 'name', 'first', 'last', 'from', 'to'],
  fewest: 1,
  counts: 'ranges of VINs',
  notTaken: [
    'Ranges over several models, plants or years of letters: publishers sort VINs, so their ends bound no counter.',
    'Ranges with characters left out: other models share the counter.',
    'Single VINs: they are one vehicle’s.',
    'Defects and remedies: whether a vehicle was repaired is not told.',
  ],
  read(text) {
    if (text('first') === '' || text('last') === '') return 'no range of VINs';
    const [from, to] = [yearIn(text('from')), yearIn(text('to'))];
    if (from === 0 || to === 0) return 'no dates of building';
    if (to < from) return 'dates of building whose ends are exchanged';
    if (to - from >= MOST_YEARS) return 'dates of building too far apart to tell a year';
    return {
      make: text('make'),
      model: text('name'),
      range: { first: text('first'), last: text('last') },
      ...builtBetween(from, to),
      values: {},
    };
  },
});

/** Returns the year of a date such as 24/02/2010; 0 if it is not a date. */
function yearIn(date: string): number {
  return Number(/^\d{1,2}\/\d{1,2}\/(\d{4})$/.exec(date)?.[1] ?? 0);
}
