import { defined } from '../specs/epa.ts';
import { number, register, sinceYearBefore, yearOf } from './register.ts';

const MM_PER_CM = 10;

export const rdw = register({
  title: 'Dutch vehicle register (RDW)',
  publisher: 'RDW',
  market: 'europe',
  licence: 'CC0',
  url: 'https://opendata.rdw.nl/Voertuigen/Open-Data-RDW-Gekentekende_voertuigen/m9d7-ebf2',
  // The download has "Datum eerste toelating", the interface "datum_eerste_toelating": squashed they are the same.
  columns: {
    make: ['Merk'],
    name: ['Handelsbenaming'],
    kind: ['Voertuigsoort'],
    use: ['Inrichting'],
    admitted: ['Datum eerste toelating'],
    cc: ['Cilinderinhoud'],
    cylinders: ['Aantal cilinders'],
    wheelbase: ['Wielbasis'],
    length: ['Lengte'],
    width: ['Breedte'],
    height: ['Hoogte voertuig'],
    emptyMass: ['Massa ledig voertuig'],
    grossMass: ['Toegestane maximum massa voertuig'],
  },
  required: ['make', 'name', 'kind', 'admitted', 'cc', 'wheelbase'],
  fewest: 3,
  notTaken: [
    'Plates, owners’ dates and prices: they are a vehicle’s own.',
    'Campers, ambulances and other conversions: their weights are not the model’s.',
  ],
  read(text) {
    if (text('kind') !== 'Personenauto') return 'no passenger car';
    if (/kampeer|ambulance|lijkwagen|rolstoel/i.test(text('use'))) return 'converted: a camper, ambulance or the like';
    const year = yearOf(text('admitted'));
    if (year < 1990) return 'no first admission since 1990';
    return {
      make: text('make'),
      model: text('name'),
      years: sinceYearBefore(year),
      values: defined({
        cc: number(text('cc')),
        cylinders: number(text('cylinders')),
        wheelbaseMm: number(text('wheelbase'), MM_PER_CM),
        lengthMm: number(text('length'), MM_PER_CM),
        widthMm: number(text('width'), MM_PER_CM),
        heightMm: number(text('height'), MM_PER_CM),
        curbKg: number(text('emptyMass')),
        grossKg: number(text('grossMass')),
      }),
    };
  },
});
