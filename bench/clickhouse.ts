import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import { checkTable } from './decoded.ts';
import { recipe, recipes, type Tell, withTools, type Workplace } from './recipes.ts';
import { childrenOf, isRunning, print, until } from './running.ts';

/** The part of npm's chdb that is used. */
interface Chdb {
  Session: new (folder: string, options: { connectionArgs: string[] }) => Session;
}

interface Session {
  queryAsync: (sql: string) => Promise<{ text: () => string }>;
  close: () => void;
}

/** One thread, two, and two under one of which Node is killed. */
export async function runClickHouse(place: Workplace, tell: Tell): Promise<void> {
  const session = open(place);
  const ask = async (sql: string) => (await session.queryAsync(sql)).text();
  await fill(place, ask);
  const output = place.path('clickhouse.tsv');
  const decode = (threads: number) =>
    ask(
      `INSERT INTO FUNCTION file('${output}', TSVRaw) SELECT id, vin, car.manufacturer, car.model, car.modelYear, car.powerKw, car.error, car.catalog ` +
        `FROM (SELECT id, vin, marque(vin) AS car FROM fleet) SETTINGS max_threads = ${threads}, engine_file_truncate_on_insert = 1`,
    );
  let took = 0;
  for (const [threads, isKilled] of [
    [1, false],
    [2, false],
    [2, true],
  ] as const) {
    const begun = performance.now();
    const decoding = decode(threads);
    if (isKilled) await Promise.race([decoding, sleep(took / 2)]);
    const [victim] = isKilled ? workers() : [];
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
    await decoding;
    if (isKilled && victim === undefined) throw new Error('The query ended before a process was killed.');
    took = performance.now() - begun;
    const killed = isKilled ? ', a Node process killed in the middle' : '';
    tell(`ClickHouse, threads: ${threads}${killed}`, begun);
    await checkTable(place, output);
  }
  const nodes = workers();
  session.close();
  await until(() => !nodes.some(isRunning));
  print(`Every one of ${place.rows} rows is as the decoder has it, each time. No process is left.`);
}

function open(place: Workplace): Session {
  const scripts = {
    'marque.py': place.placed(recipe('ClickHouse', 'python')),
    'decode.sh': recipe('ClickHouse', 'sh'),
  };
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(place.path('user_scripts', name), text);
    chmodSync(place.path('user_scripts', name), 0o755);
  }
  writeFileSync(place.path('marque_function.xml'), recipe('ClickHouse', 'xml'));
  const config = `<clickhouse>
    <user_scripts_path>${place.path('user_scripts')}</user_scripts_path>
    <user_defined_executable_functions_config>${place.path('*_function.xml')}</user_defined_executable_functions_config>
  </clickhouse>`;
  writeFileSync(place.path('config.xml'), config);
  process.env['PATH'] = withTools()['PATH'];
  const { Session }: Chdb = createRequire(import.meta.url)('chdb');
  return new Session(place.path('clickhouse'), { connectionArgs: [`--config-file=${place.path('config.xml')}`] });
}

/** Fills the table that the queries of the page read, and runs them on its first rows. */
async function fill(place: Workplace, ask: (sql: string) => Promise<string>): Promise<void> {
  await ask('CREATE DATABASE cars');
  await ask('USE cars');
  await ask('CREATE TABLE fleet (id UInt32, vin String) ENGINE = MergeTree ORDER BY id');
  await ask(`INSERT INTO fleet SELECT * FROM file('${place.path('fleet', '*.csv')}', CSVWithNames)`);
  for (const sql of recipes('ClickHouse', 'sql')) {
    const query = sql
      .trim()
      .slice(0, -1)
      .replaceAll(/\bfleet\b/g, '(SELECT * FROM fleet LIMIT 1000)');
    const model = query.includes('car.model') ? "ifNull(car.model, '')" : 'model';
    const counts = await ask(`SELECT count(), countIf(${model} != '') > 900 FROM (${query})`);
    if (!/^1000\D+(?:1|true)\s*$/.test(counts)) throw new Error(`A query of the page gave ${counts}.`);
  }
}

/** Returns the processes of Node under the scripts that this process started. */
function workers(): number[] {
  return childrenOf(process.pid).flatMap((script) => childrenOf(script));
}
