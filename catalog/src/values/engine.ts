import { keyOf, once, readTable } from './table.ts';
import { wordOf } from './words.ts';

/** How an engine's cylinders stand. */
export const ENGINE_CONFIGURATIONS = ['Inline', 'V', 'W', 'Flat', 'Rotary'] as const;

type EngineConfiguration = (typeof ENGINE_CONFIGURATIONS)[number];

const configurations = once(() => readTable('engine-configurations.csv', ['vpic', 'label']));

/** The configuration that vPIC's engine configuration (element 64) names; undefined where it is not in the table. */
export function engineConfiguration(vpicConfiguration: string): EngineConfiguration | undefined {
  const row = configurations().get(keyOf(vpicConfiguration));
  return row && wordOf(ENGINE_CONFIGURATIONS, row.label);
}
