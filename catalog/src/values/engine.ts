import { keyOf, once, readTable } from './table.ts';
import { wordOf } from './words.ts';

/** The arrangement of an engine's cylinders. */
export const ENGINE_CONFIGURATIONS = ['Inline', 'V', 'W', 'Flat', 'Rotary'] as const;

type EngineConfiguration = (typeof ENGINE_CONFIGURATIONS)[number];

const configurations = once(() => readTable('engine-configurations.csv', ['vpic', 'label']));

/**
 * Returns the configuration that vPIC's engine configuration (element 64) names; undefined where it is not in the
 * table.
 */
export function engineConfiguration(vpicConfiguration: string): EngineConfiguration | undefined {
  const row = configurations().get(keyOf(vpicConfiguration));
  return row && wordOf(ENGINE_CONFIGURATIONS, row.label);
}

const codes = once(() =>
  [...readTable('engine-codes.csv', ['pattern', 'cylinders', 'source'], 1, (text) => text).values()].map((row) => ({
    pattern: new RegExp(row.pattern),
    cylinders: Number(row.cylinders),
  })),
);

/** The meaning of a maker's engine code by itself; tenths of a liter are 0 if it gives none. */
interface EngineCode {
  cylinders: number;
  tenths: number;
}

/**
 * Returns the cylinders and the size that an engine code means, by facts/values/engine-codes.csv; undefined for all
 * others.
 */
export function engineCode(vpicEngine: string): EngineCode | undefined {
  const text = vpicEngine.replace(/ ?\(.*$/, '').trim();
  for (const { pattern, cylinders } of codes()) {
    const match = pattern.exec(text);
    if (match) return { cylinders, tenths: Number(match[1] ?? 0) };
  }
  return undefined;
}
