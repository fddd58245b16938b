import { CONFIGURATIONS, type Draft } from './draft.ts';

/** Below this an engine is known by its cubic centimeters: motorcycles and microcars. */
const SMALL_ENGINE_CC = 950;

/** Matches a maker's name of an engine ("1.6 TDI"); a bare size is written out like any other. */
const TRADE_NAME = /[A-Za-z]/;

/** Prefix of the number of cylinders by configuration. */
const PREFIX: Readonly<Record<string, string>> = { Inline: 'I', V: 'V', W: 'W', Flat: 'flat-' };

/**
 * Returns an engine as a person reads it: "2.0 L I4 turbo, gasoline, 147 kW", "3.5 L V6 (J35Y6), gasoline", "1.6 TDI,
 * diesel, 77 kW", "Electric, 150 kW". Empty where no more than the fuel is known: the fuel has its own field.
 */
export function engineLine(draft: Draft): string {
  const power = draft.powerKw > 0 ? `${Math.round(draft.powerKw)} kW` : '';
  if (draft.fuelType === 'Electric') return power === '' ? '' : `Electric, ${power}`;
  const fuel = draft.fuelType === '' ? '' : fuelWords(draft.fuelType);
  const name = tradeName(draft.engine);
  // Some makers sell an engine under the name of its fuel, such as "Hybrid": the size is more precise.
  const isFuel = fuel !== '' && name.toLowerCase().startsWith(fuel) && !/\d/.test(name);
  let block = name === '' || isFuel ? layout(draft) : name;
  const code = engineCode(draft.engineModel);
  if (code !== '') block = block === '' ? code : `${block} (${code})`;
  if (block === '')
    return power === '' || fuel === '' ? '' : `${fuel.charAt(0).toUpperCase()}${fuel.slice(1)}, ${power}`;
  if (!block.toLowerCase().startsWith(fuel)) block += `, ${fuel}`;
  return join(block, ', ', power);
}

/** Returns the maker's name of the engine, without notes; empty if several engines have it. */
function tradeName(engine: string): string {
  if (engine === '') return '';
  const plain = !engine.includes('(') ? engine : engine.replace(/\s*\([^)]*\)(?!\p{L})|[()]/gu, '').trim();
  return TRADE_NAME.test(plain) && !plain.includes('/') ? plain : '';
}

/** Returns size and cylinders, as far as they are known. */
function layout(draft: Draft): string {
  const block = join(size(draft.displacementCc), ' ', cylinders(draft));
  return block !== '' && draft.turbo ? `${block} turbo` : block;
}

function join(first: string, separator: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return first + separator + second;
}

function size(displacementCc: number): string {
  if (displacementCc <= 0) return '';
  if (displacementCc < SMALL_ENGINE_CC) return `${Math.round(displacementCc)} cc`;
  // Rounded from hundreds: 1.95 is a little less in binary, and 1950 cubic centimeters are 2.0 liters to everyone.
  return `${(Math.round(displacementCc / 100) / 10).toFixed(1)} L`;
}

function cylinders(draft: Draft): string {
  const configuration = CONFIGURATIONS[draft.configuration] ?? '';
  if (configuration === 'Rotary') return 'rotary';
  if (draft.cylinders === 0) return '';
  if (draft.cylinders === 1) return 'single-cylinder';
  return configuration === '' ? `${draft.cylinders}-cylinder` : `${PREFIX[configuration]}${draft.cylinders}`;
}

/**
 * Matches layouts ("V8", "L4"), keys to the VIN ("U5"), carburetors ("4BBL") and ratings ("40D"), which look like codes
 * and are not.
 */
const NO_CODE = /^(?:[HILUVW]\d|[VW]1[0268]|\d+[A-Z]|\d?BBL)$/;

/** Returns a maker's code, if the text is one: engine models also contain makers, years, carburetors and layouts. */
function engineCode(engineModel: string): string {
  if (engineModel === '') return '';
  const text = engineModel.replace(/ ?\(.*$/, '').trim();
  return /^(?=.*[A-Z])(?=.*\d)[A-Z0-9]{2,7}(?:-[A-Z]{2,4})?$/.test(text) && !NO_CODE.test(text) ? text : '';
}

function fuelWords(fuelType: string): string {
  return /^[A-Z]{3}/.test(fuelType) ? fuelType : fuelType.charAt(0).toLowerCase() + fuelType.slice(1);
}
