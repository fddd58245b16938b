import { checkDigitOf, openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from './root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

function modelOf(vin: string): string | undefined {
  return decoder.decode(vin).model;
}

/** Returns the market of a VIN that begins so, with the check digit to match. */
function marketOf(start: string): string | undefined {
  const text = `${start}0000`;
  return decoder.decode(text.slice(0, 8) + checkDigitOf(text) + text.slice(9)).specs?.market;
}

test('a right check digit implies North America only if cars for other markets have none', () => {
  expect(marketOf('WBA5B1C50ED90')).toBe('North America');
  // Tesla writes one form in all its works.
  expect(marketOf('5YJ3E1EA0KF44')).toBe('North America');
  // A 0 at position 10 is not a model year: Indiana builds the Highlander for Australia too.
  expect(marketOf('5TDLB3CH00S07')).toBeUndefined();
  expect(marketOf('XP7YGCEK0PB05')).toBeUndefined();
  expect(marketOf('LRW3E7EK0NC65')).toBeUndefined();
});

test('a car of the United States whose code NHTSA does not know has the sizes of North America’s lists', () => {
  expect(decoder.decode('5YM23CS08P9S31000').technicalSpecs).toMatchObject({ lengthMm: 5110, wheelbaseMm: 3105 });
});

test('lists of North American variants give nothing for a car without a model year', () => {
  // Mexico builds the CX-30 for Europe too, without a check digit and a year: with engines that North America does not
  // have.
  const { model, specs, technicalSpecs } = decoder.decode('3MVDMFWGA0E100000');
  expect(model).toBe('CX-30');
  expect([specs?.emissionsStandard, specs?.displacementCc, technicalSpecs?.curbWeightKg]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(decoder.decode('3MVDMBDL7NM425000').specs?.emissionsStandard).toMatch(/^Tier 3/);
});

test('works that build few models are not read by codes of the maker’s other cars', () => {
  // The codes of the ID.3, the up! and the Golf at 7-8, and that of the Transporter.
  expect(['WV14C4E15MM476889', 'WV1ZZZAAZCW123456', 'WV1ZZZ1KZ8W123456'].map(modelOf)).toEqual(
    Array(3).fill(undefined),
  );
  expect(modelOf('WV1ZZZ7HZ8H123456')).toBe('Transporter / Multivan / Caravelle');
  // A C-Class as a van and as an SUV, a Clio of Matra, a Hilux of Valenciennes, a Patrol of Sunderland, an X7 among MINIs,
  // and a Focus of Otosan.
  const others = [
    'WDF20400710000001',
    'WDC2040071F000001',
    'VF8BB0A0512345678',
    'VNKFR22G500000001',
    'SJNTESY61U0000001',
  ];
  expect([...others, 'WMWCW0TB20E143508', 'NM0AXXGCDAAA00001'].map(modelOf)).toEqual(Array(7).fill(undefined));
  expect(modelOf('WDF63970310000001')).toBe('Vito');
});

test('a code of no car of a WMI is not the model of another WMI, nor that of most of its cars', () => {
  expect(modelOf('WVGZZZ16PYE342744')).toBeUndefined();
  expect(modelOf('WVGZZZ1TZ5W018189')).toBe('Touran');
  // A Master is no Dacia.
  expect(['UU1RDBMA225033028', 'VF1RDBMA225033028'].map(modelOf)).toEqual([undefined, 'Master']);
});

test('a plant is spelled as in the gazetteer, in its own country, and a country alone is not a plant', () => {
  expect(decoder.decode('XWK27175080000000').plant).toBe('Izhevsk, Russia');
  const [leaf, rx, sonata] = ['1N4AZ0CP8FC300000', '2T2BK1BA2AC000000', '5NPE34AF0FH000000'].map((vin) =>
    decoder.decode(vin),
  );
  expect(leaf?.plant).toBe('Smyrna, United States');
  expect(rx?.plant).toBe('Cambridge, Canada');
  expect(sonata?.specs?.plantCountry).toBe('United States');
  expect(sonata).not.toHaveProperty('plant');
});

test('a car has the fuel and the charger that all cars of its engine have, even against its row', () => {
  const [volt, fiesta, optima] = ['1G1RC6S56GU115000', '3FADP4BJ9FM110000', '5XXGT4L39GG023000'].map(
    (text) => decoder.decode(text).specs,
  );
  expect(volt?.fuelType).toBe('Plug-in hybrid');
  expect(fiesta?.fuelType).toBe('Gasoline');
  expect(optima?.engine).toBe('2.4 L 4-cylinder, gasoline, 138 kW');
});

test('a motorcycle of a model that had one engine has its size', () => {
  const sizes = [
    'JYARM33E4HA000010',
    'ZGULD00A0HM100001',
    'ZD4VFB001AS000001',
    'JKAZRT00DEA016192',
    'SMTC00AA0AT400001',
  ].map((vin) => decoder.decode(vin).specs?.displacementCc);
  expect(sizes).toEqual([689, 744, 49, 1043, 2294]);
});

test('a car of a model that had one fuel, engine or body has it', () => {
  const cars = ['ZFF79ALB000201234', 'ZFF96NHB000260001', 'ZHWES4ZF7KLA00001', 'PM2M301S002000001'].map((vin) => {
    const { specs, bodyStyleNormalized } = decoder.decode(vin);
    return [specs?.fuelType, specs?.displacementCc, bodyStyleNormalized];
  });
  expect(cars).toEqual([
    ['Gasoline', 3902, 'coupe'],
    ['Plug-in hybrid', 3990, 'cabrio'],
    ['Gasoline', 5204, 'unknown'],
    ['Gasoline', undefined, 'hatchback'],
  ]);
  expect(decoder.decode('XP7CVZ097T3299000').bodyStyleNormalized).toBe('pickup');
});

test('a motorcycle of Honda Vietnam is not a car of the same WMI', () => {
  expect(decoder.decode('RLHJK03UXNZ101000')).toMatchObject({ vehicleType: 'Motorcycle', bodyStyle: 'Motorcycle' });
});

test('a European Volvo has the gearbox and the driven wheels of its ninth character, even against a list of its year', () => {
  const [manual, automatic, front, all] = [
    'YV1FW84A1D1131000',
    'YV1FW84ABD1131000',
    'YV1ZWA8UDK2341000',
    'YV1ZWA8VCK1026000',
  ].map((text) => decoder.decode(text).specs);
  expect([manual?.transmission, automatic?.transmission]).toEqual(['Manual', 'Automatic']);
  expect([front?.driveType, all?.driveType]).toEqual(['Front-wheel drive', 'All-wheel drive']);
});

test('a letter at position 9 is that of a machine, where the trailers of its WMI have a check digit', () => {
  expect(decoder.decode('1DW250DXCAB612000')).toMatchObject({ manufacturer: 'John Deere', vehicleType: 'Machine' });
  expect(decoder.decode('1DW1A5321KB123000')).toMatchObject({ manufacturer: 'Stoughton Trailers' });
});

test("a machine is no trailer of the United States by chance, where NHTSA lists a builder under another continent's code", () => {
  expect(decoder.decode('JCB3CX4T0D1234567')).toMatchObject({ manufacturer: 'JCB', vehicleType: 'Machine' });
});

test('the fuel is open where cars of one code came with several', () => {
  const [city, ranger, van, sedan] = [
    'MRHGM6660CP000000',
    'MNBUMFF60NW000000',
    'W1V44760313893000',
    'LGXC16DM9A0002000',
  ].map((text) => decoder.decode(text));
  expect(city).toMatchObject({ model: 'City', modelYear: '2012' });
  expect(ranger).toMatchObject({ model: 'Ranger' });
  expect(van).toMatchObject({ model: 'Vito / eVito', technicalSpecs: { lengthMm: 5140 } });
  expect(sedan).toMatchObject({ model: 'F3 / G3 / F6' });
  for (const report of [city, ranger, van, sedan]) expect(report?.specs ?? {}).not.toHaveProperty('fuelType');
  expect(decoder.decode('WDF44760313066000').specs?.fuelType).toBe('Diesel');
});

test('a short code does not give a car the model, generation or type of another', () => {
  expect(decoder.decode('KMHWH81JP6U123000').model).not.toBe('Sonata');
  expect(decoder.decode('MD2A76BZ4HWA00000').model).not.toBe('Platina');
  expect(decoder.decode('JHMRW6860JX000000').generation).toBe('V');
  expect(decoder.decode('X9633090080000000').vehicleType).toBe('Truck');
});

test('a letter that two models had in turn gives neither its body nor its name to the other', () => {
  // The first Tucson of Nošovice has the year code of the last ix35, and Polos from Uitenhage the type code of the Corrado.
  expect(decoder.decode('TMAJ3815AFJ000001').model).toBe('Tucson');
  expect(decoder.decode('TMAJU81VCFJ000001').model).toBe('ix35');
  expect(decoder.decode('AAVZZZ60ZJU000001').bodyStyle).toBeUndefined();
  expect(decoder.decode('WVWZZZ60ZNK000001').bodyStyle).toBe('Coupe');
});

test('a model that is no longer built, or not yet, is not that of a VIN of that year', () => {
  // A Z800 of 2003, a Z900 of 2012, an SK of 2014, a T2 of 2026, an XF95 of 2016, a Stralis of 2025, a 9-5 of 2019.
  const never = [
    'JKAZR800333000001',
    'JKAZR9003CA000001',
    'W1K619789EJ115000',
    'WDB668102TJ231000',
    '98P7Z4725GM534000',
    'WJME2NN76SJ210000',
    'YS3EB55E0K3000001',
  ];
  expect(never.map(modelOf)).toEqual(Array(never.length).fill(undefined));
  expect(['JKAZR800333000001', 'JKAZR8003E3000001', 'YS3EB55E013000001'].map(modelOf)).toEqual([
    undefined,
    'Z800',
    '9-5',
  ]);
});

test('a type has the engine and the driven wheels of its badge, where a list has those of another', () => {
  const bmw = ['WBAPN120000000001', 'WBSUR93020V000001', 'WBAWL710000000001'];
  expect(bmw.map((vin) => decoder.decode(vin).specs?.powerKw)).toEqual([105, 250, 225]);
  expect(decoder.decode('WBALZ310000000001')).toMatchObject({ trim: '650i', specs: { driveType: 'Rear-wheel drive' } });
  expect(decoder.decode('WBA8E64000K000001').specs).not.toHaveProperty('fuelType', 'Diesel');
  const mercedes = ['WDC1631721A000001', 'W1K2130681A000001', 'W1K2906881A000001'];
  expect(mercedes.map((vin) => decoder.decode(vin).specs?.displacementCc)).toEqual([4266, 3000, 4000]);
  expect(decoder.decode('W1N2546561F000001').specs?.fuelType).toBe('Plug-in hybrid');
  expect(decoder.decode('WBAFH210000000001').specs?.fuelType).toBe('Hybrid');
});

test('the year of production of a Brazilian car of the nineties is not its model year', () => {
  const cars = ['9BWZZZ377WP575000', '9BFZZZGDAVB563000', '9BD146047T5866000'].map((vin) => decoder.decode(vin));
  expect(cars.map(({ model }) => model)).toEqual(['Gol', 'Ka', 'Uno']);
  for (const car of cars) expect(car).not.toHaveProperty('modelYear');
  expect(decoder.decode('9BD17156342547000').modelYear).toBe('2004');
});
