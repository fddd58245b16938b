import type { SpecRow } from '../../src/specs/columns.ts';
import { MILD } from './ademe.ts';
import { badgeOf } from './epa-words.ts';
import { defined } from './epa.ts';
import type { Families } from './names.ts';
import { readRecords } from './records.ts';

/**
 * Reads cars on sale in the United Kingdom from the Vehicle Certification Agency's "Euro 6 latest" tables:
 * displacement, power, gearbox and emissions standard by variant. Years are the editions' with one either side.
 */
export async function readVca(file: string, families: Families): Promise<SpecRow[]> {
  const rows: SpecRow[] = [];
  for await (const record of readRecords(file)) {
    const text = (name: string): string => record.get(name) ?? '';
    const mildFuel = isMild(text) ? MILD_FUELS.get(text('Fuel Type')) : undefined;
    const fuel = mildFuel ?? FUELS.get(text('Fuel Type'));
    const hybrid = fuel === 'Hybrid' || fuel === 'Plug-in hybrid';
    for (const name of families.find(text('Manufacturer'), text('Model'))) {
      rows.push({
        make: name.make,
        model: name.model,
        badge: `${mildFuel === undefined ? '' : `${MILD} `}${badgeOf(text('Description'))}`.slice(0, 40).trimEnd(),
        from: 2021,
        to: 2023,
        ...defined({
          fuel,
          cc: positive(text('Engine Capacity')),
          gearbox: gearboxOf(text('Transmission')),
          drive: /AWD|4x4|4WD/i.test(`${text('Transmission')} ${text('Description')}`) ? 'All-wheel drive' : undefined,
          powerKw: hybrid ? undefined : positive(text('Engine Power (Kw)')),
          emissions: fuel === 'Electric' ? undefined : standardOf(text('Euro Standard')),
        }),
      });
    }
  }
  return rows;
}

/**
 * Returns true if the motor of a hybrid without a plug only helps the engine: by the list's word for it, or by the
 * description if the list calls all of them hybrids. The hybrids of 1.2 and 1.4 liters of Suzuki are mild, and all with
 * a diesel.
 */
function isMild(text: (name: string) => string): boolean {
  return (
    text('Fuel Type') === 'Diesel Electric' ||
    text('Powertrain').startsWith('Mild') ||
    /\bmild\b|\bmhev\b|\b48 ?v\b|^(?:SWIFT|VITARA|IGNIS|S-CROSS) 1\.[24]\b/i.test(text('Description'))
  );
}

/** Fuels of mild hybrids: neither a VIN nor its name distinguishes one from the car without a motor. */
const MILD_FUELS: ReadonlyMap<string, string> = new Map([
  ['Petrol Electric', 'Gasoline'],
  ['Diesel Electric', 'Diesel'],
]);

const FUELS: ReadonlyMap<string, string> = new Map([
  ['Petrol', 'Gasoline'],
  ['Diesel', 'Diesel'],
  ['Electricity', 'Electric'],
  ['Petrol Hybrid', 'Hybrid'],
  ['Petrol Electric', 'Hybrid'],
  ['Electricity / Petrol', 'Plug-in hybrid'],
  ['Electricity/Petrol', 'Plug-in hybrid'],
  ['Electricity / Diesel', 'Plug-in hybrid'],
  ['Electricity/Diesel', 'Plug-in hybrid'],
  ['Diesel Electric', 'Hybrid'],
  ['Hydrogen', 'Hydrogen'],
  ['LPG', 'LPG'],
]);

function positive(text: string): number | undefined {
  const value = Math.round(Number(text));
  return value > 0 ? value : undefined;
}

function gearboxOf(code: string): string | undefined {
  const manual = /^M(\d)/.exec(code);
  if (manual) return `Manual, ${manual[1]}-speed`;
  if (/CVT|^E-?CVT|^AV/i.test(code)) return 'Automatic, CVT';
  const stepped = /^(?:A|S\/A|AMT|DCT|SAT?|D|QD|MCT|QA|DSG|EDC?|S|AS|SM|MTA)-?(\d+)/i.exec(code);
  if (/^AT?1$/.test(code)) return 'Automatic, single-speed';
  return stepped ? `Automatic, ${stepped[1]}-speed` : undefined;
}

/** Returns the standard: "Euro 6d-TEMP", "Euro 6d": the letters are steps of Euro 6, kept if the agency writes them. */
function standardOf(text: string): string | undefined {
  const found = /^Euro ?(\d)(.*)$/i.exec(text);
  return found ? `Euro ${found[1]}${(found[2] ?? '').trim()}` : undefined;
}
