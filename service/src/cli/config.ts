import { ALL_SETTINGS, type Command } from './command.ts';

import { effectiveSettings } from '../platform/config/config.ts';
import { type Io, writeJson, writeTable } from './io.ts';
import { configOf } from './settings.ts';

/** Adds `config`. */
export function addConfig(config: Command, io: Io): void {
  config
    .reads(ALL_SETTINGS)
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const settings = effectiveSettings(io.env);
      if (json === true) {
        await writeJson(io.stdout, settings);
      } else {
        const rows = settings.map(({ name, value, from, description }) => [
          name,
          String(value ?? '(unset)'),
          from === 'environment' ? 'set' : 'default',
          description,
        ]);
        await writeTable(io.stdout, ['Variable', 'Value', 'From', 'What it is'], rows);
      }
      // Printed first, so that a person sees the wrong value beside the others.
      configOf(io);
    });
}
