// Decodes a table by the recipes of docs/data.md, kills processes in the middle, and proves that every row is there and
// right. `node bench/engines.ts`: all of them; `recipes`, `dask` or `clickhouse`: those; `--rows 100000`: fewer than
// ten million.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { runClickHouse } from './clickhouse.ts';
import { runDask } from './dask.ts';
import { checkFile, HASH } from './decoded.ts';
import { CATALOG, missing, recipe, recipes, withTools, Workplace } from './recipes.ts';
import { finished, print } from './running.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '10000000' } },
});
const isWanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const lacking = missing(isWanted);
if (lacking.length > 0) {
  print(lacking.join('\n'));
  process.exit(1);
}

/** Imitates Spark, which pickles the function, runs it elsewhere on frames, and expects the columns that were named. */
const SPARK = `
import cloudpickle, pandas, pickle, subprocess, sys

PROGRAM = """
import pandas, pickle, sys
frames = iter([pandas.read_csv("fleet/00.csv")] * 2)
pickle.dump([*pickle.load(sys.stdin.buffer)(frames)], sys.stdout.buffer)
"""

class Fleet:
    def mapInPandas(self, function, columns):
        pickled = cloudpickle.dumps(function)
        frames = pickle.loads(subprocess.run([sys.executable, "-c", PROGRAM], input=pickled, stdout=-1, check=True).stdout)
        names = [column.split()[0].strip("\`") for column in columns.split(",")]
        assert all([*frame.columns] == names for frame in frames), (names, frames[0].columns)
        return frames

fleet = Fleet()
`;
const SPARK_END = `
print(f"What Spark would run gives {sum(map(len, decoded))} rows, with the columns that were named.")
`;

let pipeMs: number | undefined;
const place = new Workplace(Number(values.rows));
try {
  if (isWanted('recipes')) runRecipes();
  if (isWanted('dask') || isWanted('clickhouse')) await runPipe();
  if (isWanted('dask')) await runDask(place, tell);
  if (isWanted('clickhouse')) await runClickHouse(place, tell);
} finally {
  place.remove();
}

/** The pipe is the first. */
function tell(what: string, begunMs: number): void {
  const ms = performance.now() - begunMs;
  pipeMs ??= ms;
  const perSecond = Math.round(place.rows / (ms / 1000)).toLocaleString('en');
  print(`${what}: ${(ms / 1000).toFixed(1)} s, ${perSecond} rows a second, ${(pipeMs / ms).toFixed(2)} of the pipe`);
}

/** The same rows through the command line, without an engine, to set the engines beside. */
async function runPipe(): Promise<void> {
  const begun = performance.now();
  const line = 'tail -qn +2 fleet/*.csv | cut -d, -f2 | marque decode --format jsonl | wc -l > pipe.count';
  await finished(spawn('sh', ['-c', line], { cwd: place.folder, env: withTools(), stdio: 'inherit' }));
  const count = Number(readFileSync(place.path('pipe.count'), 'utf8'));
  if (count !== place.rows) throw new Error(`The pipe gave ${count} lines.`);
  tell('Pipe through `marque decode`, all cores', begun);
}

/** Runs the recipes that need no engine: pandas, cached catalogs, and the function for Spark. */
function runRecipes(): void {
  place.python(recipe('pandas and polars', 'python'));
  const decoded = readFileSync(place.path('decoded.csv'), 'utf8');
  checkFile(place, decoded, 0);

  const [keep = '', again = ''] = recipes('Catalogs', 'python');
  place.python(keep);
  if (!existsSync(place.path('catalogs', `${HASH}.catalog`))) throw new Error('No catalog was kept.');
  // Last month's catalog, which spells one model otherwise.
  const hash = '0'.repeat(HASH.length);
  const older = readFileSync(CATALOG).toString('latin1').replaceAll('Accord', 'Akkord').replace(HASH, hash);
  writeFileSync(place.path('catalogs', `${hash}.catalog`), older, 'latin1');
  writeFileSync(place.path('last-month.csv'), `catalog\n${hash}\n`);
  place.python(again);
  const lastMonth = readFileSync(place.path('last-month-again.csv'), 'utf8');
  if (lastMonth !== decoded.replaceAll(HASH, hash).replaceAll(',Accord,', ',Akkord,')) {
    throw new Error('A catalog that was kept decodes otherwise.');
  }
  writeFileSync(place.path('last-month.csv'), lastMonth);
  print(place.python(recipe('What changed', 'python')).trim());
  if (readFileSync(place.path('this-month.csv'), 'utf8') !== decoded) throw new Error('Rows that changed are missing.');

  print(place.python(SPARK + recipe('Spark', 'python') + SPARK_END).trim());
  print('The recipes without an engine run as printed.');
}
