import { type EngineVariant, readHints } from '@marque/decoder';

import type { EngineQuestion } from '../candidates/questions.ts';
import { Select } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';

/** The engines as one choice: fuel, size and power of one go together. */
export function EngineChoice({ choices, chosen }: EngineQuestion) {
  const chosenKey = chosen === undefined ? '' : keyOf(chosen);
  // An engine that hints in the address name need not be among those that the catalog knows.
  const isOffered = chosen === undefined || choices.some((engine) => keyOf(engine) === chosenKey);
  const offered = isOffered ? choices : [chosen, ...choices];
  const options = offered.map((engine) => ({ value: keyOf(engine), text: textOf(engine) }));
  return (
    <div>
      <Select label="Engine" name="engine" options={[{ value: '', text: 'Not known' }, ...options]} value={chosenKey} />
      <p class="hint">Settles fuel, displacement, and power together.</p>
    </div>
  );
}

/** The engine that the form sent; undefined: none. */
export function engineIn({ engine = '' }: Readonly<Record<string, string | undefined>>): EngineVariant | undefined {
  const [fuelType, displacementCc, powerKw] = engine.split('/');
  const form = readHints({ fuelType, displacementCc, powerKw });
  return form.kind === 'malformed' || Object.keys(form.hints).length === 0 ? undefined : form.hints;
}

/** An engine as the form sends it: "Diesel/1598/77". */
function keyOf({ fuelType, displacementCc, powerKw }: EngineVariant): string {
  return [fuelType, displacementCc, powerKw].join('/');
}

function textOf({ fuelType, displacementCc, powerKw }: EngineVariant): string {
  const size = displacementCc === undefined ? [] : [`${count(displacementCc)}\u00a0cc`];
  const power = powerKw === undefined ? [] : [`${powerKw}\u00a0kW`];
  return [...(fuelType === undefined ? [] : [fuelType]), ...size, ...power].join(', ');
}
