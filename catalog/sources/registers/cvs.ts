import { defined } from '../specs/epa.ts';
import { number, register } from './register.ts';

const MM_PER_CM = 10;
/** The shortest wheelbase in centimeters and the longest in inches are apart. */
const LEAST_WHEELBASE_CM = 165;

export const cvs = register({
  title: 'Canadian Vehicle Specifications (Transport Canada)',
  publisher: 'Transport Canada',
  market: 'north-america',
  licence: 'Open Government Licence - Canada',
  url: 'https://vpic.nhtsa.dot.gov/api/vehicles/GetCanadianVehicleSpecifications/?year=2011&make=&model=&units=Metric&format=json',
  flags: ['canadian-specifications'],
  columns: {
    make: ['Make'],
    name: ['Model'],
    year: ['MYR', 'Year', 'Model year'],
    length: ['OL'],
    width: ['OW'],
    height: ['OH'],
    wheelbase: ['WB'],
    curbMass: ['CW'],
  },
  required: ['make', 'name', 'year', 'length', 'wheelbase'],
  fewest: 1,
  notTaken: ['Inner dimensions and weight distribution: the report has no field for them.'],
  read(text) {
    const year = Number(text('year'));
    if (!(year >= 1980)) return 'no model year since 1980';
    const wheelbase = number(text('wheelbase'));
    if (wheelbase !== undefined && wheelbase < LEAST_WHEELBASE_CM) return 'in inches: download it with units=Metric';
    return {
      make: text('make'),
      model: text('name'),
      years: { from: year, to: year },
      values: defined({
        lengthMm: number(text('length'), MM_PER_CM),
        widthMm: number(text('width'), MM_PER_CM),
        heightMm: number(text('height'), MM_PER_CM),
        wheelbaseMm: number(text('wheelbase'), MM_PER_CM),
        curbKg: number(text('curbMass')),
      }),
    };
  },
});
