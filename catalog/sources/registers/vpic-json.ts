import { readFile, stat } from 'node:fs/promises';

import { TableError, type Watch } from '../specs/open-table.ts';
import type { TableLine } from '../specs/records.ts';

/** One year of all makes is a few megabytes. */
const MOST_BYTES = 64 << 20;

interface Specs {
  Specs: { Name: string; Value: string | null }[];
}

/**
 * Reads an answer of NHTSA's vPIC service that has lists of names and values (GetCanadianVehicleSpecifications) as
 * lines, the header first; a line's number is that of its vehicle.
 *
 * @throws TableError when it is something else.
 */
export async function* readVpicJson(file: string, watch: Watch = {}): AsyncGenerator<TableLine> {
  const vehicles = await readAnswer(file, watch);
  const names = [...new Set(vehicles.flatMap(({ Specs: specs }) => specs.map(({ Name }) => Name)))];
  yield { line: 0, fields: names };
  for (const [index, { Specs: specs }] of vehicles.entries()) {
    const values = new Map(specs.map(({ Name, Value }) => [Name, Value ?? '']));
    yield { line: index + 1, fields: names.map((name) => values.get(name) ?? '') };
  }
}

async function readAnswer(file: string, { hash }: Watch): Promise<Specs[]> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new TableError(`${file} is larger than any answer of the service.`);
  let answer: unknown;
  try {
    const text = await readFile(file, 'utf8');
    hash?.update(text);
    answer = JSON.parse(text);
  } catch {
    throw new TableError(`${file} is not JSON, or is cut short. Download it again.`);
  }
  const results = typeof answer === 'object' && answer !== null && 'Results' in answer ? answer.Results : undefined;
  if (!Array.isArray(results) || !results.every(isSpecs)) {
    throw new TableError(`${file} is no answer of GetCanadianVehicleSpecifications: it has no Results with Specs.`);
  }
  return results;
}

function isSpecs(result: unknown): result is Specs {
  return typeof result === 'object' && result !== null && 'Specs' in result && Array.isArray(result.Specs);
}
