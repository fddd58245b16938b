import { readFileSync, statSync } from 'node:fs';

import type { Config } from '../kernel/config/config.ts';
import { OperatorError } from '../kernel/operator-error.ts';
import type { Source } from './source.ts';

/** The file of sources cannot be used. The message lists every fault, for a person at a terminal. */
class SourcesError extends OperatorError {
  override name = 'SourcesError';
}

/** Name of the source that ENRICHMENT_VPIC_URL configures. */
const VPIC = 'vpic';

/**
 * Returns the configured sources in the order in which they are asked: those of the file, then public vPIC.
 *
 * @param env where the file's `${NAME}` are looked up.
 * @throws SourcesError
 */
export async function configuredSources(
  config: Pick<Config, 'enrichmentSourcesFile' | 'enrichmentVpicUrl'>,
  env: NodeJS.ProcessEnv,
): Promise<Source[]> {
  const { enrichmentSourcesFile: file, enrichmentVpicUrl: url } = config;
  const sources = file === undefined ? [] : await sourcesIn(file, env);
  if (url === undefined) return sources;
  if (sources.some(({ name }) => name === VPIC)) {
    throw refusal(file ?? '', ['A source in the file is named vpic, like the one at ENRICHMENT_VPIC_URL. Rename it.']);
  }
  // Loaded only if configured: most services have no external source.
  const { VPIC_RATE_LIMIT, VPIC_TIMEOUT_MS, vpicSource } = await import('./sources/vpic.ts');
  const vpic = { name: VPIC, url, rateLimit: VPIC_RATE_LIMIT, timeoutMs: VPIC_TIMEOUT_MS, privateAddresses: false };
  return [...sources, vpicSource(vpic)];
}

async function sourcesIn(file: string, env: NodeJS.ProcessEnv): Promise<Source[]> {
  let text: string;
  try {
    // A device or a pipe may never end.
    if (!statSync(file).isFile()) throw new Error('it is not a file.');
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw refusal(file, [`It cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`]);
  }
  const { readSources } = await import('./sources/source-file.ts');
  const reading = readSources(text, env);
  if (reading.kind === 'faulty') throw refusal(file, reading.faults);
  return reading.sources;
}

function refusal(file: string, faults: readonly string[]): SourcesError {
  const lines = faults.map((fault) => `  ${fault}`);
  return new SourcesError(
    [`ENRICHMENT_SOURCES_FILE ${file} cannot be used. Nothing was started.`, ...lines].join('\n'),
  );
}
