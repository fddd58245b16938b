import { ALL_SETTINGS, type Command } from '../kernel/cli/command.ts';

import { effectiveSettings, settingsWithoutEffect } from '../kernel/config/config.ts';
import { type Io, type JsonOption, writeList } from '../kernel/cli/io.ts';
import { configOf } from '../kernel/cli/settings.ts';

/** Adds `config`. */
export function define(config: Command, io: Io): void {
  config
    .reads(ALL_SETTINGS)
    .option('--json', 'print them as JSON')
    .action(async (options: JsonOption) => {
      await writeList(io, options, effectiveSettings(io.env), {
        Variable: ({ name }) => name,
        Value: ({ value }) => String(value ?? '(unset)'),
        From: ({ from }) => (from === 'environment' ? 'set' : 'default'),
        'What it is': ({ description }) => description,
      });
      for (const warning of settingsWithoutEffect(io.env)) io.stderr.write(`${warning}\n`);
      // Printed first, so that a person sees the wrong value beside the others.
      configOf(io);
    });
}
