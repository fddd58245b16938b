import { type EngineVariant, readHints } from '@marque/decoder';

import type { EngineQuestion } from '../searches/questions.ts';
import { count } from '../../kernel/ui/numbers.ts';

/** The engines as one choice, by fuel, size, and power: those of one go together. */
export function EngineChoice({ choices, chosen }: EngineQuestion) {
  const chosenKey = chosen === undefined ? '' : keyOf(chosen);
  // An engine that hints in the address name need not be in the catalog.
  const isOffered = chosen === undefined || choices.some((engine) => keyOf(engine) === chosenKey);
  const offered = sorted(isOffered ? choices : [chosen, ...choices]);
  const left = offered.length === 1 ? 'One engine is left.' : `${offered.length} engines are left.`;
  return (
    <fieldset class="engines">
      <legend>Engine</legend>
      <p class="hint">{chosen === undefined ? left : `Chosen from ${offered.length}.`}</p>
      {[...Map.groupBy(offered, ({ fuelType = '' }) => fuelType)].map(([fuel, engines]) => (
        <div key={fuel}>
          <p class="question">{fuel === '' ? 'Fuel not known' : fuel}</p>
          <div class="chips">
            {engines.map((engine) => {
              const key = keyOf(engine);
              return (
                <label key={key} class="chip">
                  <input type="radio" id={`engine-${key}`} name="engine" value={key} checked={key === chosenKey} />
                  <span>
                    <span class="unseen">{fuel}</span> {textOf(engine)}
                  </span>
                </label>
              );
            })}
          </div>
        </div>
      ))}
      <label class="chip">
        <input type="radio" id="engine-none" name="engine" value="" checked={chosen === undefined} />
        Not known
      </label>
    </fieldset>
  );
}

/** Sorts engines by fuel, then from small to large, then from weak to strong; unknown values last. */
function sorted(engines: readonly EngineVariant[]): EngineVariant[] {
  return engines.toSorted(
    (a, b) =>
      (a.fuelType ?? '~').localeCompare(b.fuelType ?? '~') ||
      compare(a.displacementCc, b.displacementCc) ||
      compare(a.powerKw, b.powerKw),
  );
}

function compare(a = Infinity, b = Infinity): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns the engine that the form sent; undefined: none. */
export function engineIn({ engine = '' }: Readonly<Record<string, string | undefined>>): EngineVariant | undefined {
  const [fuelType, displacementCc, powerKw] = engine.split('/');
  const form = readHints({ fuelType, displacementCc, powerKw });
  return form.kind === 'malformed' || Object.keys(form.hints).length === 0 ? undefined : form.hints;
}

/** Returns an engine as the form sends it: "Diesel/1598/77". */
function keyOf({ fuelType, displacementCc, powerKw }: EngineVariant): string {
  return [fuelType, displacementCc, powerKw].join('/');
}

function textOf({ displacementCc, powerKw }: EngineVariant): string {
  const size = displacementCc === undefined ? [] : [`${count(displacementCc)}\u00a0cm³`];
  const power = powerKw === undefined ? [] : [`${count(powerKw)}\u00a0kW`];
  const text = [...size, ...power].join(', ');
  return text === '' ? 'Any' : text;
}
