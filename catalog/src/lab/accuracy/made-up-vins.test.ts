import { openCatalog } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** VINs of no vehicle, each with its expected values; null: the field must stay open. */
type MadeUp = readonly (readonly [vin: string, told: Readonly<Record<string, string | null>>])[];

/** Decodes the same VINs, with these fields of their reports. */
function told(vins: MadeUp): MadeUp {
  return vins.map(([vin, wanted]) => {
    const report = new Map<string, unknown>(Object.entries(decoder.decode(vin)));
    const seen = Object.keys(wanted).map((field): [string, string | null] => [field, textOf(report.get(field))]);
    return [vin, Object.fromEntries(seen)];
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

describe('a VIN of no vehicle', () => {
  test('has no type whose code was given to another car later', () => {
    // Serial numbers with 9L are of 2022, CB81 is an E36 323i of the nineties; 463.341 is a G 320 CDI, and X4 of 2022.
    const vins: MadeUp = [
      ['WBACB810609L40001', { manufacturer: 'BMW', model: null, generation: null, modelYear: '2022' }],
      ['W1N4633411X450001', { model: 'G-Class', modelCode: null, modelYear: '2022' }],
      // Built until 2017: X3s of 2022 have other types.
      ['WBAWX310109L40001', { model: 'X3', modelYear: null }],
    ];
    expect(told(vins)).toEqual(vins);
    expect(decoder.decode('W1N4633411X450001').specs?.engine).toBeUndefined();
  });

  test('of a car of Volvo has no model of its trucks', () => {
    const vins: MadeUp = [
      ['YV1RS59K4D2000001', { model: null, bodyStyle: 'Sedan' }],
      ['YV2RT40A5GB000001', { model: 'FH', vehicleType: 'Truck' }],
      ['YV2AS02A5BB000001', { model: 'FH', vehicleType: 'Truck' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('of a commercial vehicle of Korea has no model of a car', () => {
    const vins: MadeUp = [
      // Elsewhere at Hyundai, Kia and Suzuki these codes are a Sonata, a Veracruz, a Sportage and a Baleno.
      ['KMFEA17CPAC012345', { manufacturer: 'Hyundai', model: null, vehicleType: 'Truck' }],
      ['KMJNNH7HPAU012345', { manufacturer: 'Hyundai', model: null, vehicleType: null }],
      ['KNHPB3AAXT7012345', { manufacturer: 'Kia', model: null, vehicleType: null }],
      ['KL5EW8L60FV012345', { manufacturer: null, model: null }],
      ['KMJWA37KBHU012345', { model: 'H-1', vehicleType: 'Van' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('of GAZ and UAZ has the body of its index', () => {
    const vins: MadeUp = [
      // 310221 is the estate of the Volga, 39094 the flatbed among the vans that begin with 3909.
      ['XTH310221Y0012345', { model: '310221 Volga estate', bodyStyleNormalized: 'wagon' }],
      ['XTT39094550012345', { bodyStyleNormalized: 'pickup' }],
      ['X9633020050012345', { model: '3302 GAZelle', vehicleType: 'Truck' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has the make that its works built in its year', () => {
    const vins: MadeUp = [
      // Saint Petersburg built Hyundais and Kias until 2022, Geely had the WMI of Lotus before Lotus.
      ['Z94C241BBMR000123', { manufacturer: 'Kia', model: 'Rio' }],
      ['Z94C241BBSR000123', { manufacturer: 'Solaris', model: 'KRS' }],
      ['Z94K241BBRR000123', { manufacturer: 'Solaris', model: 'HS' }],
      ['LJU7624S9CS000123', { manufacturer: null }],
      ['LJUEA1ZP3TS000123', { manufacturer: 'Lotus', model: 'Eletre' }],
      // Hanoi built Daewoos and Chevrolets before VinFast took it over.
      ['RLLSF69Y05H012345', { manufacturer: 'Daewoo' }],
      ['RLLVFAAA0PH012345', { manufacturer: 'VinFast' }],
      ['HESCA2C4XRS012345', { manufacturer: 'smart', model: '#3' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has no single model, body or fuel that others of its prefix contradict', () => {
    const vins: MadeUp = [
      ['VR3KCZKZ7SS012345', { model: '3008 / 5008' }],
      ['VR3FPHPYXSY012345', { model: '308 / 408' }],
      ['U5YD25AA0TT012345', { model: 'EV4' }],
      ['JTMAAAAD0SJ012345', { manufacturer: 'Toyota', model: null }],
      ['KNAGV81FBJ5012345', { model: 'Optima', bodyStyle: null }],
      // No year at position 10: a Sprint ST of 1999, and trucks of 1983.
      ['SMTTF600MGX101234', { manufacturer: 'Triumph', modelYear: null }],
      ['WMA2000127B012345', { manufacturer: 'MAN', modelYear: null }],
    ];
    expect(told(vins)).toEqual(vins);
    expect(decoder.decode('KMHC851CGHU012345').specs?.fuelType).toBe('Hybrid');
    expect(decoder.decode('LRW3E7ES3PC612345').specs?.batteryCapacityKwh).toBeUndefined();
  });

  test('has the name that its market knows, not that of a car elsewhere with the same code', () => {
    const vins: MadeUp = [
      // Of Asaka, Chennai, Bupyeong and Laem Chabang: no Daewoo, i10, i20, Fusion, Captiva, and no Galant of 1986.
      ['XWBJF69VJDA012345', { manufacturer: 'Chevrolet', model: 'Cobalt' }],
      ['MALA251ALDM012345', { model: 'Eon' }],
      ['MALB241C0MM012345', { model: 'Aura / Grand i10' }],
      ['MAJ1XXMRJ1DB12345', { model: 'EcoSport' }],
      ['KL1CM6CA8JC012345', { model: 'Spark' }],
      ['MMBSTA13AGH012345', { model: 'Attrage / Mirage G4', modelYear: '2016' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has no model that its plant, its body or its form rules out', () => {
    const vins: MadeUp = [
      // B at 4 is a saloon: no Celica. Burnaston built the Carina E. 53 is the body of a car: no Dyna.
      ['JTDBZ22T600000001', { manufacturer: 'Toyota', model: null }],
      ['SB154ABK00E000001', { model: 'Carina E', bodyStyleNormalized: 'hatchback' }],
      ['JT153FU1100000001', { model: 'Prius', bodyStyleNormalized: 'sedan' }],
      // D at 11 is Dingolfing for others; in Beijing CT is no Accent of Ulsan, and LM is the maker's code of the ix35.
      ['WBX33HR00VDA44258', { model: 'iX3', plant: 'Debrecen, Hungary' }],
      ['LBECT4AE0HY000001', { manufacturer: 'Hyundai', model: null }],
      ['LBELMBKC0CY000001', { model: 'ix35 / Tucson' }],
      // A serial number of digits alone is of the 1980s.
      ['WBAAA510001000001', { model: '3 Series', generation: 'E30' }],
      ['WBAAE510701000001', { model: '3 Series', generation: 'E30' }],
      ['KL1SD266J9B000001', { model: 'Captiva', bodyStyleNormalized: 'suv' }],
      ['VF32300J215800001', { model: 'Boxer', bodyStyleNormalized: 'van' }],
      ['TMBACA200L0000001', { model: '135 / 136', modelYear: '1990' }],
      ['JTDKG12C300000001', { model: 'Aygo' }],
    ];
    expect(told(vins)).toEqual(vins);
    expect(decoder.decode('KL1SD266J9B000001').specs?.displacementCc).toBe(2405);
  });

  test('has one name where the others are of other years', () => {
    const vins: MadeUp = [
      ['WF05XXBAJ5TS00001', { model: 'Fiesta', modelYear: '1997' }],
      ['KL1LA69KE4B000001', { model: 'Evanda', modelYear: '2004' }],
      ['KL1LA69KE9B000001', { model: 'Epica', modelYear: '2009' }],
      ['9BGRX48F05G000001', { model: 'Celta', modelYear: '2005' }],
      ['KL1LA69KE6B000001', { model: 'Epica / Evanda', modelYear: '2006' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has no make, model or kind of others whose codes begin alike', () => {
    const vins: MadeUp = [
      // Trolleybuses of Ostrov are no cars of Skoda, and have no year.
      ['TMP21TR0X1B000001', { manufacturer: 'Skoda', modelYear: null, vehicleType: 'Bus' }],
      // A mistyped NPR of North America, mopeds of Motoleader, a truck of Renault, and one of Bogota.
      ['JALC4B14X27012345', { manufacturer: 'Isuzu', model: 'NPR/NPR-HD' }],
      ['JALCYZ52KX7012345', { manufacturer: 'Isuzu', model: 'Giga' }],
      ['LMHABC12345678901', { manufacturer: 'Motoleader', vehicleType: null }],
      ['VF2JTSF0002012345', { manufacturer: 'Renault', vehicleType: 'Truck' }],
      ['9FCT45LX880001234', { manufacturer: 'Mazda', modelYear: '2008', vehicleType: null }],
      // Rows of cars say nothing about trucks, nor those of the Semi about cars, nor of the Grandland about Insignias.
      ['W0LZ45M4AJ2012345', { model: 'Insignia', bodyStyle: null }],
      ['YV2UKK583VZ761412', { manufacturer: 'Volvo', model: null, vehicleType: 'Truck' }],
      ['5YJTNULY5RF512066', { manufacturer: 'Tesla', model: null }],
      // A list of sizes that names no body says nothing about the kind.
      ['93ZC53C01D8440001', { manufacturer: 'Iveco', model: 'Daily', vehicleType: null }],
    ];
    expect(told(vins)).toEqual(vins);
    expect(decoder.decode('YV2RT68A0JA123456').specs?.displacementCc).toBeUndefined();
  });

  test('has no body that only one of its models has', () => {
    const vins: MadeUp = [
      ['TMBLD4NW0P3000001', { model: 'Scala / Kamiq', bodyStyle: null }],
      // The NP300 is a pickup with two rows of seats, else also a chassis.
      ['3N6AD35YCT5197938', { model: 'Frontier / Navara', bodyStyle: null }],
      ['3N6AD33YCT5197938', { model: 'Frontier / Navara', bodyStyle: 'Pickup' }],
      // NHTSA has it for the Frontier of the United States, with a V6.
      ['3N6AD33A8JK812345', { model: 'Frontier / Navara', bodyStyle: 'Pickup', generation: null }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has a make and a model that belong together', () => {
    const vins: MadeUp = [['ZACNJAC50PJ000001', { manufacturer: 'Jeep', model: 'Avenger' }]];
    expect(told(vins)).toEqual(vins);
  });

  test('has no year that its WMI, its model or its serial number leaves open', () => {
    const vins: MadeUp = [
      ['SB1KV56E00F000001', { model: 'Auris', generation: 'E150', modelYear: null }],
      ['WF0AXXGBBAKP00001', { manufacturer: 'Ford', modelYear: null }],
      ['Z6FAXXEEBAFK00001', { modelYear: '2015' }],
      ['UU1R5A71533000001', { model: 'Solenza', modelYear: null }],
      ['1XP4D49X0CD000001', { manufacturer: 'Peterbilt', modelYear: null }],
      // Isuzu's trucks have the letter of a series where others have the year; Scania has a year since 2024, where it has a letter.
      ['JALFVZ34WN7000001', { model: 'F-Series', modelYear: null }],
      ['YS2R8X400S9000001', { model: 'R', modelYear: '2025' }],
      // Numbers that BMW gave to other cars, too: to a G60 of 2022 and an X3 of 2018, and to an E61 of 2007.
      ['WBANA71060CK20000', { model: '5 Series', generation: 'E60', modelYear: null }],
      ['WBACH31050LF55000', { model: 'Z3', modelYear: null }],
      ['WBA21EJ060CU05000', { model: '7 Series', generation: 'G70', modelYear: '2025' }],
      // A bus under a code of trucks has the year of the buses' numbers.
      ['NMB62831013245100', { model: 'Conecto', modelYear: '2007' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has no region that its maker is not of', () => {
    const vins: MadeUp = [
      // Builders of the United States took their initials as a WMI; Asaka has one of Europe.
      ['ABTBB2026R1005678', { manufacturer: 'Diamond City Trailer', region: null }],
      ['A4ZZZSXX4SC000001', { manufacturer: 'Zero', region: null }],
      ['XWBJF69VJDA012345', { plant: 'Asaka, Uzbekistan', region: null }],
      ['WVWZZZ1KZCW012345', { region: 'Europe' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has the main make of its WMI', () => {
    const vins: MadeUp = [
      ['W0L6VYD10E9000001', { manufacturer: 'Opel' }],
      ['U5YHC517ABL000001', { manufacturer: 'Kia', model: 'Ceed', generation: 'ED' }],
    ];
    expect(told(vins)).toEqual(vins);
  });

  test('has no fuel, body or make that its model never had', () => {
    const vins: MadeUp = [
      ['WP0ZZZ95ZHN112345', { model: '944', bodyStyle: null }],
      ['WBAZD0208RB012345', { model: null }],
      ['WME1660241B012345', { manufacturer: 'smart', model: null }],
      ['UU1MBCTRS59723925', { manufacturer: 'Dacia', model: null }],
      ['WVGZZZ1E2E1751772', { model: null, bodyStyle: null }],
      // Cars of 2015 whose letters at 10 are those of 1985: these models were not built then.
      ['ZDMA100AAFB012345', { model: 'Multistrada', modelYear: '2015' }],
      ['SMTE00AA8FT012345', { model: 'Tiger', modelYear: '2015' }],
      ['ZFF83CLA7B0123456', { model: null }],
      ['KL1SF48YJHB012345', { model: null }],
      // A Maybach is no convertible or SUV, and the SLS was built until 2014.
      ['W1K2239761A012345', { model: 'S-Class', generation: 'Z223', bodyStyle: 'Sedan' }],
      ['W1K197477KK206622', { model: null }],
      // Works that opened after the letter's first year.
      ['NLHZZ51CPDZ012345', { modelYear: '2013' }],
      ['PM2XXXXXXE0012345', { modelYear: '2014' }],
    ];
    expect(told(vins)).toEqual(vins);
    // Some XJs drive four wheels, the R-EV burns gasoline, and the Nivus GTS has 1.4 liters.
    const [xj, rotary, nivus] = ['SAJKK8JG7GJ462140', 'JMZDR1W9J00204098', '9BWCH6CH0TP012345'].map((vin) =>
      decoder.decode(vin),
    );
    expect([xj?.specs?.driveType, rotary?.specs?.fuelType, nivus?.specs?.displacementCc]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const fuels = [
      'LYV2Z26EXTB185310',
      'LYVM1GVN7SU199392',
      'VF1AG0VE2A3298357',
      'VF3E3DGXA81437298',
      'VF3YPDGYX11885245',
    ];
    expect(fuels.map((vin) => decoder.decode(vin).specs?.fuelType)).toEqual([
      'Electric',
      'Electric',
      'Electric',
      undefined,
      undefined,
    ]);
  });

  test('has no engine, gearbox or weight because an official list lacks the others', () => {
    // VINs that tell no engine. France's list of 2024 names the plug-in hybrid A3 alone, and no manual Passat.
    for (const vin of ['WAUZZZGYZSA000001', 'WVWZZZ3CZPE000001', 'WVWZZZAWZRY000001', 'XUFLA6T07F4813000']) {
      const { specs, technicalSpecs } = decoder.decode(vin);
      expect([specs?.displacementCc, specs?.transmission, technicalSpecs?.curbWeightKg]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
    // France's list has the Q4s 45 and 50; others weigh 240 kg less.
    expect(decoder.decode('WAUZZZFZZRP000001').technicalSpecs?.curbWeightKg).toBeUndefined();
  });

  test('of a van of Atessa has the year that its number tells, whichever the make', () => {
    const vins: MadeUp = [
      ['ZFA25000001280000', { model: 'Ducato', modelYear: '2007' }],
      ['ZFA25000002A50000', { model: 'Ducato', modelYear: '2016' }],
      ['ZFA250000RMA50000', { model: 'Ducato', modelYear: '2024' }],
      ['VF3YCTMAU12A50000', { model: 'Boxer', modelYear: '2016' }],
      ['VXEYCBPAU12V50000', { model: 'Movano', modelYear: '2022' }],
      // The plant that built the Ducato of 2002 to 2006, and a number that nothing dates.
      ['ZFA24400007280000', { model: 'Ducato', modelYear: null }],
      ['ZFA25000002200000', { model: 'Ducato', modelYear: null }],
    ];
    expect(told(vins)).toEqual(vins);
  });
});
