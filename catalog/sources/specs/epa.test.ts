import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readEpa } from './epa.ts';
import { Families } from './names.ts';
import { Refusals } from './refused.ts';

const GENERATIONS = [
  { make: 'Nissan', model: 'Rogue', generation: 'T32', from: 2014, to: 2020 },
  { make: 'Nissan', model: 'Rogue', generation: 'T33', from: 2021, to: 2027 },
];

const TESTED =
  'Model Year,Represented Test Veh Make,Represented Test Veh Model,Test Veh Displacement (L),Rated Horsepower,# of Cylinders and Rotors,Drive System Code,Equivalent Test Weight (lbs.),Actual Tested Testgroup';
const SOLD =
  'id,year,make,model,baseModel,displ,cylinders,drive,trany,fuelType,atvType,VClass,evMotor,tCharger,sCharger,hlv,lv2,lv4';

/** Returns the curb weights by year of a Rogue with front-wheel drive, tested with the weights of these years. */
async function weightsOf(tested: Readonly<Record<number, number>>): Promise<Record<number, number | undefined>> {
  const folder = mkdtempSync(join(tmpdir(), 'epa-'));
  const years = [2016, 2017, 2018, 2019, 2020, 2021];
  const vehicles = years.map(
    (year) =>
      `${year},${year},Nissan,Rogue FWD,Rogue,2.5,4,Front-Wheel Drive,Automatic (variable gear ratios),Regular,,Small Sport Utility Vehicle 2WD,,,,0,0,0`,
  );
  writeFileSync(join(folder, 'vehicles.csv'), [SOLD, ...vehicles].join('\n'));
  for (const [year, pounds] of Object.entries(tested)) {
    const row = `${year},NISSAN,NISSAN ROGUE FWD SL,2.5,170,4,F,${pounds},GROUP${year}`;
    writeFileSync(join(folder, `${year}-testcar.csv`), `${TESTED}\n${row}\n`);
    writeFileSync(join(folder, `${year}-emissions.csv`), `efid,id,salesArea,standard\nGROUP${year},${year},3,T3B30\n`);
  }
  const families = new Families([{ make: 'Nissan', model: 'Rogue', badges: new Set() }], 'make,pattern,model\n');
  const refusals = new Refusals('source,make,model,badge,from,to,cc,charged,field,value,reason\n', 'epa');
  const rows = await readEpa(join(folder, 'vehicles.csv'), folder, families, refusals, GENERATIONS);
  return Object.fromEntries(rows.map(({ from, curbKg }) => [from, curbKg]));
}

test('a weight is that of the family’s test with any words for the driven wheels, and of the years beside it in the generation', async () => {
  expect(await weightsOf({ 2018: 3750 })).toEqual({
    2016: 1560,
    2017: 1560,
    2018: 1560,
    2019: 1560,
    2020: 1560,
    2021: undefined,
  });
  expect(await weightsOf({ 2020: 3750 })).toMatchObject({ 2017: undefined, 2018: 1560, 2021: undefined });
});

test('no weight is given between years that differ, nor for a car too heavy for its test to be representative', async () => {
  expect(await weightsOf({ 2017: 3500, 2019: 4000 })).toMatchObject({ 2017: 1450, 2018: undefined, 2019: 1680 });
  expect(await weightsOf({ 2018: 5500 })).toMatchObject({ 2018: undefined });
});
