import { describe, expect, test } from 'vitest';

import {
  bodyClass,
  fuelType,
  makeName,
  modelName,
  plantCity,
  plantCountry,
  plantState,
  seriesCode,
  transmission,
  trimBadge,
  trimName,
} from './index.ts';

describe('makes', () => {
  test.each([
    ['HONDA', 'Honda'],
    ['BMW', 'BMW'],
    ['MERCEDES-BENZ', 'Mercedes-Benz'],
    ['LAND ROVER', 'Land Rover'],
    ['ALFA ROMEO', 'Alfa Romeo'],
    ['GMC', 'GMC'],
    ['MINI', 'MINI'],
    ['smart', 'smart'],
    ['RAM', 'Ram'],
    ['MCLAREN', 'McLaren'],
    ['HARLEY DAVIDSON', 'Harley-Davidson'],
    ['Škoda', 'Skoda'],
    ['Volvo Truck', 'Volvo'],
    ['SPARTAN FIRE, LLC', 'Spartan Fire'],
    ["NEWMAN'S MANUFACTURING INCORPORATED", "Newman's Manufacturing"],
    ['Integradora Maquirent, S.A DE C.V. dba Wink Equipment', 'Wink Equipment'],
    ['A.B. Body Co., Inc.', 'A.B. Body'],
    ['Atlas (Vexas Corp.)', 'Atlas'],
    ['Olympus Technologies INC. / Olympus', 'Olympus'],
    ['Lakeland Trailers, Inc. of Hill City', 'Lakeland Trailers'],
    ['Albert Böcker GmbH & Co. KG', 'Albert Böcker'],
    ['Bighorn, Bighorn Traveler, Big Country, & Landmark', 'Heartland RV'],
  ])('%s is %s', (vpic, name) => {
    expect(makeName(vpic)).toBe(name);
  });
});

describe('models', () => {
  test.each([
    ['BMW', '328i', { model: '3 Series', modelCode: '328i' }],
    ['BMW', 'M340i', { model: '3 Series', modelCode: 'M340i' }],
    ['BMW', 'M3', { model: 'M3' }],
    ['BMW', 'X5', { model: 'X5' }],
    ['BMW', 'R 1200 GS', { model: 'R 1200 GS' }],
    ['MERCEDES-BENZ', 'C-Class', { model: 'C-Class' }],
    ['MERCEDES-BENZ', 'C300', { model: 'C-Class', modelCode: 'C300' }],
    ['MERCEDES-BENZ', 'GLC-Class', { model: 'GLC' }],
    ['FORD', 'F-150', { model: 'F-150' }],
    ['MAZDA', 'Mazda3', { model: 'Mazda3' }],
    ['MAZDA', 'MAZDA3', { model: 'Mazda3' }],
    ['TOYOTA', 'RAV4', { model: 'RAV4' }],
    ['TOYOTA', 'COROLLA iM', { model: 'Corolla iM' }],
    ['TOYOTA', 'Scion tC', { model: 'tC', make: 'Scion' }],
    ['PLYMOUTH', 'GRAN FURY', { model: 'Gran Fury' }],
    ['PANOZ', 'Panoz Roadster', { model: 'Roadster' }],
    ['HONDA', 'Honda Utility Vehicle', { model: 'Honda Utility Vehicle' }],
    ['HARLEY-DAVIDSON', 'FLHTCUI', { model: 'FLHTCUI' }],
    ['BUICK', 'Incomplete', {}],
    ['Fontaine Trailer Co.', 'Fontaine Trailer Co.', {}],
    ['After Hours', 'After Hours Bikes, Inc.', {}],
    ['FORD', 'LTD', { model: 'LTD' }],
    ['Heartland RV', 'Pioneer, Prowler, & Prowler Lnyx', { model: 'Pioneer / Prowler / Prowler Lnyx' }],
    ['DODGE', 'Caravan/Grand Caravan', { model: 'Caravan / Grand Caravan' }],
  ])('%s %s', (make, model, name) => {
    expect(modelName({ make, model })).toEqual(name);
  });

  test('the badge comes from the model, else from the trim, else from the series', () => {
    expect(modelName({ make: 'LEXUS', model: 'RX', series: '10 Series', trim: '350 Premium' })).toEqual({
      model: 'RX',
      modelCode: 'RX 350',
      trim: '350 Premium',
    });
    expect(modelName({ make: 'CHEVROLET', model: 'Silverado', series: '1500 (1/2 Ton)', trim: 'LT' })).toEqual({
      model: 'Silverado',
      modelCode: '1500',
      trim: 'LT',
    });
    expect(modelName({ make: 'PORSCHE', model: 'Macan', series: 'Type 95B', trim: 'Macan S' })).toEqual({
      model: 'Macan',
      modelCode: '95B',
      trim: 'S',
    });
  });

  test('a series of words, or of several codes, is not a code', () => {
    expect(['Convertible', '3-Series', 'GRN280L/GRN285L', 'XL/XLT/Lariat', 'not identified'].map(seriesCode)).toEqual(
      Array.from({ length: 5 }),
    );
  });
});

describe('trims', () => {
  test.each([
    ['Honda', undefined, 'TOURING', 'Touring'],
    ['Honda', undefined, 'EXL', 'EX-L'],
    ['Honda', undefined, 'EX-L w/ NAVI', 'EX-L w/Navi'],
    ['Honda', undefined, 'LX w/Leather', 'LX w/Leather'],
    ['Mercedes-Benz', undefined, 'E350-4M', 'E350 4MATIC'],
    ['BMW', undefined, 'xDrive GC', 'xDrive Gran Coupe'],
    ['Dodge', undefined, 'R/T SCAT PACK', 'R/T Scat Pack'],
    ['Porsche', 'Macan', 'Macan', undefined],
    ['Porsche', 'Macan', 'Macan, Macan T', 'Base / T'],
    ['Mazda', 'Mazda3', 'Mazda3 with Select Package', 'w/Select Package'],
    ['Mazda', 'CX-5', '(not identified)', undefined],
  ])('%s %s %s is %s', (make, model, trim, clean) => {
    expect(trimName({ make, model, trim })).toBe(clean);
  });

  test('a list of trims has no badge', () => {
    expect(trimBadge({ make: 'Lexus', model: 'IS', trim: '300/300 F Sport' })).toBeUndefined();
  });
});

describe('bodies', () => {
  test('doors distinguish hatchbacks, whether the tailgate was counted or not', () => {
    const hatchback = 'Hatchback/Liftback/Notchback';
    expect(
      [undefined, 2, 3, 4, 5].map((doors) => bodyClass(hatchback, doors === undefined ? {} : { doors })?.label),
    ).toEqual(['Hatchback', 'Hatchback, 3-door', 'Hatchback, 3-door', 'Hatchback, 5-door', 'Hatchback, 5-door']);
    expect(bodyClass('Sedan/Saloon', { doors: 4 })).toEqual({ label: 'Sedan', body: 'sedan' });
  });

  test('a cab distinguishes pickups', () => {
    expect(bodyClass('Pickup', { cab: 'Crew/Super Crew/Crew Max' })).toEqual({
      label: 'Pickup, crew cab',
      body: 'pickup',
    });
  });

  test('an unknown class has no body', () => {
    expect(bodyClass('Hovercraft')).toBeUndefined();
  });
});

describe('powertrains', () => {
  test.each([
    ['Gasoline', 'Electric', undefined, 'Hybrid'],
    ['Electric', 'Gasoline', undefined, 'Plug-in hybrid'],
    ['Gasoline', 'Electric', 'PHEV (Plug-in Hybrid Electric Vehicle)', 'Plug-in hybrid'],
    ['Gasoline', 'Electric', 'Mild HEV (Hybrid Electric Vehicle)', 'Gasoline'],
    ['Gasoline', 'Ethanol (E85)', undefined, 'Flex fuel'],
    ['Flexible Fuel Vehicle (FFV)', 'Gasoline', undefined, 'Flex fuel'],
    ['Fuel Cell', 'Electric', undefined, 'Hydrogen'],
    ['Gasoline', 'Compressed Natural Gas (CNG)', undefined, 'Gasoline/CNG'],
    ['Gasoline', 'Gasoline', undefined, 'Gasoline'],
    ['Diesel', 'Gasoline', undefined, undefined],
    ['Whale oil', undefined, undefined, undefined],
  ])('%s with %s and %s is %s', (primary, secondary, level, fuel) => {
    expect(fuelType(primary, secondary, level)).toBe(fuel);
  });

  test('speeds follow a stepped gearbox only', () => {
    expect(transmission('Automatic', 8)).toBe('Automatic, 8-speed');
    expect(transmission('Manual/Standard', 6)).toBe('Manual, 6-speed');
    expect(transmission('Continuously Variable Transmission (CVT)', 7)).toBe('Automatic, CVT');
  });
});

describe('plants', () => {
  test.each([
    ["SANT'AGATA BOLOGNESE", "Sant'Agata Bolognese"],
    ['SAINT-JEAN-SUR-RICHELIEU', 'Saint-Jean-sur-Richelieu'],
    ['PORTAGE LA PRAIRIE', 'Portage la Prairie'],
    ['MCKINNEY', 'McKinney'],
    ['FT. WORTH', 'Fort Worth'],
    ['ST LOUIS', 'St. Louis'],
    ['OSHAWA #1', 'Oshawa'],
    ["LEE'S SUMMIT", "Lee's Summit"],
    ['PLANT 2', undefined],
  ])('%s is %s', (vpic, city) => {
    expect(plantCity(vpic)).toBe(city);
  });

  test('countries and states lose their registry form', () => {
    expect(plantCountry('UNITED STATES (USA)')).toBe('United States');
    expect(plantCountry('BENIN ')).toBe('Benin');
    expect(plantState('ZHEJIANG PROVINCE')).toBe('Zhejiang');
  });
});
