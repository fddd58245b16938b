import { keyOf, once, readTable } from './table.ts';
import type { FuelType } from './vocabulary.ts';
import { wordOf } from './words.ts';

/** How an engine's cylinders stand. */
const ENGINE_CONFIGURATIONS = ['Inline', 'V', 'W', 'Flat', 'Rotary'] as const;

type EngineConfiguration = (typeof ENGINE_CONFIGURATIONS)[number];

const configurations = once(() => readTable('engine-configurations.csv', ['vpic', 'label']));

/** The configuration that vPIC's engine configuration (element 64) names; undefined where it is not in the table. */
export function engineConfiguration(vpicConfiguration: string): EngineConfiguration | undefined {
  const row = configurations().get(keyOf(vpicConfiguration));
  return row && wordOf(ENGINE_CONFIGURATIONS, row.label);
}

/** What is known of an engine; all of it may be missing. */
interface EngineFacts {
  displacementCc?: number | undefined;
  cylinders?: number | undefined;
  configuration?: EngineConfiguration | undefined;
  fuelType?: FuelType | undefined;
  turbo?: boolean | undefined;
  powerKw?: number | undefined;
  engineModel?: string | undefined;
}

/**
 * An engine as a person reads it: "2.0 L I4 turbo, gasoline, 147 kW", "3.5 L V6 (J35Y6), gasoline", "Electric, 150 kW".
 *
 * Undefined where no more than the fuel is known: the fuel has its own field.
 */
export function engineLine(facts: EngineFacts): string | undefined {
  const { fuelType, powerKw } = facts;
  const power = powerKw !== undefined && powerKw > 0 ? `${Math.round(powerKw)} kW` : '';
  if (fuelType === 'Electric') return power ? `Electric, ${power}` : undefined;
  const code = engineCode(facts.engineModel);
  const layout = [size(facts.displacementCc), cylinders(facts), facts.turbo === true ? 'turbo' : '']
    .filter(Boolean)
    .join(' ');
  const block = layout && code ? `${layout} (${code})` : layout || code;
  if (!block && !power) return undefined;
  return [block, block && fuelType ? fuelWords(fuelType) : '', power].filter(Boolean).join(', ');
}

/** Litres with one decimal, as cars are known; cubic centimetres for the engines of motorcycles and microcars. */
function size(displacementCc: number | undefined): string {
  if (displacementCc === undefined || !(displacementCc > 0)) return '';
  return displacementCc < 950 ? `${Math.round(displacementCc)} cc` : `${(displacementCc / 1000).toFixed(1)} L`;
}

const PREFIX = { Inline: 'I', V: 'V', W: 'W', Flat: 'flat-' } as const;

function cylinders({ cylinders: count, configuration }: EngineFacts): string {
  if (configuration === 'Rotary') return 'rotary';
  if (count === undefined || count < 1) return '';
  if (count === 1) return 'single-cylinder';
  return configuration === undefined ? `${count}-cylinder` : `${PREFIX[configuration]}${count}`;
}

/** Layouts ("V8", "L4"), carburettors ("4BBL") and ratings ("40D") look like codes and are none. */
const NO_CODE = /^(?:[HILVW]\d|[VW]1[0268]|\d+[A-Z]|\d?BBL)$/;

/** A maker's code, where the text is one: vPIC's engine models also hold makers, years, carburettors and layouts. */
function engineCode(engineModel: string | undefined): string {
  const text = engineModel?.replace(/ ?\(.*$/, '').trim() ?? '';
  return /^(?=.*[A-Z])(?=.*\d)[A-Z0-9]{2,7}(?:-[A-Z]{2,4})?$/.test(text) && !NO_CODE.test(text) ? text : '';
}

function fuelWords(fuelType: FuelType): string {
  return /^[A-Z]{3}$/.test(fuelType) ? fuelType : fuelType.charAt(0).toLowerCase() + fuelType.slice(1);
}
