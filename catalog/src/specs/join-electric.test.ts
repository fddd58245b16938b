import { describe, expect, test } from 'vitest';

import { civic, CIVIC, joining, table, values } from './testing/join.ts';

describe('the join of a car with a battery', () => {
  test('takes nothing of an electric car from a list of some cars for a car whose fuel is open', () => {
    const up = { make: 'Volkswagen', model: 'up!', from: 2013, to: 2019, fuel: 'Electric', powerKw: 60 };
    const join = joining([table([up], { coverage: 'some', market: 'europe' })]);
    const said = { make: 'Volkswagen', model: 'up!', modelYear: 2014 };
    expect(values(join(said, 'europe'))).toEqual({});
    expect(values(join({ ...said, fuelType: 'Gasoline' }, 'europe'))).toEqual({});
    expect(values(join({ ...said, fuelType: 'Electric' }, 'europe'))).toMatchObject({ powerKw: 60 });
  });

  test('uses the characters of the VIN by which a maker distinguishes a variant', () => {
    const leaf = { make: 'Nissan', model: 'Leaf', from: 2019, to: 2022, fuel: 'Electric' };
    const join = joining([
      table([
        { ...leaf, vin: '...A', batteryKwh: 40 },
        { ...leaf, vin: '...[BC]...P', batteryKwh: 62 },
      ]),
    ]);
    const said = { make: 'Nissan', model: 'Leaf', modelYear: 2020, fuelType: 'Electric' };
    const battery = (vin: string) => values(join(said, 'north-america', vin))['batteryCapacityKwh'];
    expect(battery('1N4AZ1CP0LC000000')).toBe(40);
    expect(battery('1N4CZ1CP0LC000000')).toBe(62);
    expect(battery('1N4CZ1CV0LC000000')).toBeUndefined();
    expect(battery('1N4DZ1CP0LC000000')).toBeUndefined();
  });

  test('takes nothing of the gasoline car with the same engine for a plug-in hybrid', () => {
    const rover = { make: 'Land Rover', model: 'Range Rover', from: 2022, to: 2023, cc: 2996 };
    const said = { make: 'Land Rover', model: 'Range Rover', modelYear: 2023, displacementCc: 2996 };
    const powerOf = (listed: string, fuelType: string) => {
      const join = joining([table([{ ...rover, fuel: listed, powerKw: 294 }], { market: 'europe' })]);
      return values(join({ ...said, fuelType }, 'europe'))['powerKw'];
    };
    expect(powerOf('Gasoline', 'Plug-in hybrid')).toBeUndefined();
    expect(powerOf('Plug-in hybrid', 'Plug-in hybrid')).toBe(294);
    expect(powerOf('Gasoline', 'Gasoline')).toBe(294);
  });

  test('distinguishes variants by the plant and the first characters of the serial number', () => {
    const car = { make: 'Tesla', model: 'Model Y', from: 2022, to: 2023, fuel: 'Electric' };
    const join = joining([
      table([
        { ...car, batteryKwh: 75 },
        { ...car, vin: '.......E..A', batteryKwh: 67 },
      ]),
      table([
        { ...car, vin: '...........0[012]', powerKw: 291 },
        { ...car, vin: '...........[1-9]', powerKw: 275 },
      ]),
    ]);
    const said = { make: 'Tesla', model: 'Model Y', modelYear: 2022, fuelType: 'Electric' };
    const of = (vin: string) => values(join(said, 'north-america', vin));
    expect(of('7SAYGDEE0NF029000')).toEqual({ batteryCapacityKwh: 75, powerKw: 291 });
    expect(of('7SAYGDEE0NF129000')).toEqual({ batteryCapacityKwh: 75, powerKw: 275 });
    expect(of('7SAYGDEE0NA030000')).toEqual({});
    expect(of('7SAYGDEF0NA029000')).toEqual({ batteryCapacityKwh: 75, powerKw: 291 });
  });

  test('answers capacities for cars that are charged at a plug, and for no others', () => {
    const prius = { make: 'Toyota', model: 'Prius', from: 2012, to: 2015 };
    const join = joining([table([{ ...prius, fuel: 'Plug-in hybrid', batteryKwh: 4.4 }])]);
    const battery = (fuelType: string) =>
      values(join({ make: 'Toyota', model: 'Prius', modelYear: 2013, fuelType }, 'north-america'));
    expect(battery('Plug-in hybrid')).toEqual({ batteryCapacityKwh: 4.4 });
    expect(battery('Hybrid')).toEqual({});
    expect(battery('')).toEqual({});
  });

  test('takes a power for hybrids from a list of some cars for no car without motor, and the other way round', () => {
    const camry = { make: 'Toyota', model: 'Camry', from: 2018, to: 2024, cc: 2500 };
    const power = (row: string, fuelType: string) =>
      values(
        joining([table([{ ...camry, fuel: row, powerKw: 155 }], { coverage: 'some' })])(
          { make: 'Toyota', model: 'Camry', modelYear: 2020, displacementCc: 2487, fuelType },
          'north-america',
        ),
      )['powerKw'];
    expect(power('Hybrid', 'Hybrid')).toBe(155);
    expect(power('Hybrid', 'Gasoline')).toBeUndefined();
    expect(power('Hybrid', '')).toBeUndefined();
    expect(power('Gasoline', 'Hybrid')).toBeUndefined();
    expect(power('Gasoline', 'Flex fuel')).toBe(155);
  });

  test('leaves the driven wheels open where badges name motors and the trim names equipment', () => {
    const row = { make: 'Volvo', model: 'EX40', from: 2025, to: 2025, fuel: 'Electric' };
    const drive = (badged: string) => {
      const single = { ...row, drive: 'Rear-wheel drive' };
      const join = joining([table([single, { ...row, badge: 'Twin', drive: badged }])]);
      const said = { make: 'Volvo', model: 'EX40', modelYear: 2025, fuelType: 'Electric', trim: 'Ultra Dark' };
      return values(join(said, 'north-america'))['driveType'];
    };
    expect(drive('All-wheel drive')).toBeUndefined();
    expect(drive('Rear-wheel drive')).toBe('Rear-wheel drive');
  });

  test('does not take the power of one electric axle for that of two', () => {
    const row = { make: 'Chevrolet', model: 'Blazer', from: 2024, to: 2024, fuel: 'Electric' };
    const rear = { ...row, drive: 'Rear-wheel drive', powerKw: 255 };
    const join = joining([table([rear, { ...row, drive: 'All-wheel drive' }])]);
    const said = { make: 'Chevrolet', model: 'Blazer', modelYear: 2024, fuelType: 'Electric' };
    expect(values(join(said, 'north-america'))['powerKw']).toBeUndefined();
    expect(values(join({ ...said, driveType: 'Rear-wheel drive' }, 'north-america'))['powerKw']).toBe(255);
  });

  test('drops the driven wheels of a character for all lists if the first knows no such car', () => {
    const row = { make: 'Chevrolet', model: 'Blazer', from: 2024, to: 2024, fuel: 'Electric' };
    const cars = table([
      { ...row, drive: 'Rear-wheel drive' },
      { ...row, drive: 'All-wheel drive' },
    ]);
    const batteries = table([
      { ...row, drive: 'Front-wheel drive', batteryKwh: 85 },
      { ...row, drive: 'Rear-wheel drive', batteryKwh: 102 },
    ]);
    const code = { make: 'Chevrolet', model: 'Blazer', from: 2019, to: 2024, vin: '.....C' };
    const join = joining([cars, batteries], [{ ...code, says: 'Front-wheel drive' }]);
    const said = { make: 'Chevrolet', model: 'Blazer', modelYear: 2024, fuelType: 'Electric' };
    expect(values(join(said, 'north-america', '3GNKDCRJ0RS000000'))).toEqual({});
  });

  test('takes no engine value for an electric car from a list that names no fuel', () => {
    const pickup = { make: 'Ford', model: 'F-150', from: 2022, to: 2022 };
    const join = joining([table([{ ...pickup, cc: 3500, cylinders: 6, curbKg: 2130 }])]);
    const said = { make: 'Ford', model: 'F-150', modelYear: 2022 };
    expect(values(join({ ...said, fuelType: 'Electric' }, 'north-america'))).toEqual({});
    expect(values(join({ ...said, fuelType: 'Gasoline' }, 'north-america'))).toMatchObject({ curbWeightKg: 2130 });
  });

  test('gives no battery to a car that may burn gasoline', () => {
    const join = joining([
      table([
        { ...CIVIC, fuel: 'Gasoline' },
        { ...CIVIC, fuel: 'Electric' },
      ]),
      table([{ ...CIVIC, fuel: 'Electric', batteryKwh: 25.5 }]),
    ]);
    expect(values(join(civic, 'north-america'))).toEqual({});
    expect(values(join({ ...civic, fuelType: 'Electric' }, 'north-america'))).toEqual({ batteryCapacityKwh: 25.5 });
  });

  test('asks the lists of cars with a plug again once a later list has shown that the car is electric', () => {
    const eqc = { make: 'Mercedes-Benz', model: 'EQC', from: 2019, to: 2023 };
    const join = joining([
      table([{ ...eqc, fuel: 'Electric', batteryKwh: 80, powerKw: 300, drive: 'All-wheel drive' }]),
      table([{ ...eqc, fuel: 'Electric' }]),
    ]);
    expect(values(join({ make: 'Mercedes-Benz', model: 'EQC', modelYear: 2020 }, 'north-america'))).toEqual({
      fuelType: 'Electric',
      driveType: 'All-wheel drive',
      powerKw: 300,
      batteryCapacityKwh: 80,
    });
  });
});
