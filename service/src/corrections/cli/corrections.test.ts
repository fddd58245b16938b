import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { CATALOG_ROOT, interpret, loadWorld } from '@marque/catalog';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openDatabase } from '../../database.ts';
import { dataFolder } from '../../testing/data-folder.ts';
import { claimOn, correctionsOn, report } from '../testing/corrections.ts';
import { type CommandResult, runMarque } from '../../testing/run-marque.ts';

const GOLF = 'WVWZZZ1KZ5W123456';
const ACCORD = '1HGCM82633A004352';

let folder: string;

beforeEach(() => {
  folder = dataFolder();
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const marque = (...words: string[]): Promise<CommandResult> => runMarque(words, { DATA_DIR: folder });

async function reported(vin: string, claim: Parameters<typeof claimOn>[1] = {}): Promise<string> {
  const database = await openDatabase({ dataDir: folder, databaseUrl: undefined }, 'tool');
  const here = await correctionsOn(database);
  const id = await report(here, claimOn(vin, claim));
  await here.live.close();
  await database.close();
  return id;
}

test('a report is listed, shown and rejected, with hostile text made visible', async () => {
  expect((await marque('corrections', 'list')).out).toBe('There are no such reports.\n');
  const nothing = { status: 0, out: '', err: 'There are no accepted corrections to export.\n' };
  expect(await marque('corrections', 'export')).toEqual(nothing);
  const id = await reported(ACCORD, { expectedModel: 'A\u001b[31mc\u202ecord', note: 'x\r\ny' });
  const listed = await marque('corrections', 'list', '--state', 'queued');
  expect(listed.out).toContain(String.raw`A\u{1b}[31mc\u{202e}cord`);
  const shown = await marque('corrections', 'show', id);
  expect(shown.out).toContain(String.raw`Note: x\u{d}\u{a}y`);
  expect((await marque('corrections', 'reject', id)).status).toBe(2);
  expect(await marque('corrections', 'reject', id, '--reason', 'No.')).toMatchObject({
    status: 0,
    out: `Report ${id} is rejected.\n`,
  });
  expect(await marque('corrections', 'reject', id, '--reason', 'No.')).toMatchObject({
    status: 1,
    err: `Report ${id} is rejected: this is not possible in that state.\n`,
  });
  expect((await marque('corrections', 'show', 'x')).err).toBe('There is no report x. See marque corrections list.\n');
  const audit = await marque('audit', 'list', '--subject', `report:${id}`);
  expect(audit.out).toMatch(/report\.rejected .* No\./);
});

test('faulty options are each named with their fault', async () => {
  const id = await reported(ACCORD);
  const faults = [
    [['--set', 'model'], 2, 'Write it as field=value.'],
    [['--set', 'colour=red'], 1, 'colour is not a field that can be set.'],
    [['--set', 'specs.powerKw=many'], 1, 'specs.powerKw must be a number.'],
    [['--set', 'trim=X', '--pattern', '[A'], 1, 'never closes it'],
    [['--set', 'trim=X', '--pattern', 'A', '--alike'], 1, 'not both'],
    [['--set', 'trim=X', '--years', '2003'], 1, 'go with --pattern'],
    [['--pattern', 'A', '--years', '03'], 2, 'Write years as'],
  ] as const;
  for (const [words, status, fault] of faults) {
    const outcome = await marque('corrections', 'accept', id, ...words);
    expect(outcome.err).toContain(fault);
    expect(outcome.status).toBe(status);
  }
});

test('a pattern that makes labeled VINs wrong is refused, unless it is wanted anyway', async () => {
  const id = await reported(GOLF);
  const words = ['corrections', 'accept', id, '--pattern', '', '--set', 'model=Test'];
  const refused = await marque(...words);
  expect(refused.err).toMatch(/labeled VINs? (?:is|are) decoded correctly now and would be .* with --anyway\.\n$/);
  expect(refused.status).toBe(1);
  expect((await marque('corrections', 'list', '--state', 'queued')).out).toContain(id);
  expect((await marque('corrections', 'preview', ...words.slice(2))).out).toMatch(/labeled VINs? (?:is|are) decoded/);
  expect((await marque(...words, '--anyway')).out).toContain('is accepted: override');
});

test('a pattern for every VIN of a WMI without labeled VINs is refused, too, unless it is wanted anyway', async () => {
  const vin = 'ZA9ABCDEF5W123456';
  const id = await reported(vin);
  const words = [
    'corrections',
    'accept',
    id,
    '--pattern',
    '.....',
    '--set',
    'manufacturer=Test',
    '--set',
    'model=Test',
  ];
  const says = 'It corrects every VIN of the WMI ZA9123, of whatever model and year.';
  expect(await marque(...words)).toMatchObject({ status: 1, err: expect.stringContaining(says) });
  expect((await marque('corrections', 'preview', ...words.slice(2))).out).toContain(says);
  expect((await marque(...words, '--anyway')).status).toBe(0);
  const other = await reported(vin);
  const narrower = ['--pattern', 'AB', '--set', 'manufacturer=Test', '--set', 'model=Other'];
  expect((await marque('corrections', 'accept', other, ...narrower)).status).toBe(0);
});

/**
 * Returns true if a file of facts is of the Golf's makers or of no maker: with all of them the linters take ten times
 * as long.
 */
function isOfGroup(path: string): boolean {
  return !/facts\/world\/(?!volkswagen|skoda|seat|audi)[^/.]+$/.test(path);
}

test('accepted corrections are exported as facts that pass the linters and decode as corrected', async () => {
  const world = join(folder, 'world');
  cpSync(join(CATALOG_ROOT, 'facts', 'world'), world, { recursive: true, filter: isOfGroup });
  const golf = await reported(GOLF);
  const wmi = ['--pattern', 'ZZZ1K', '--years', '2003-2006'];
  const sets = ['--set', 'trim=Edition, "R"', '--set', 'specs.powerKw=77', '--leave-out', 'specs.market'];
  expect((await marque('corrections', 'accept', golf, ...wmi, ...sets)).status).toBe(0);
  const accord = await reported(ACCORD);
  expect((await marque('corrections', 'accept', accord, '--set', 'trim=EX')).status).toBe(0);

  const printed = await marque('corrections', 'export');
  expect(printed.out).toBe(
    [
      'positions,code,wmi,from,to,trim,kw,confidence,source',
      `4-8,ZZZ1K,WVW,2003,2006,"Edition, ""R""",77,B,REPORT-${golf}`,
      '',
    ].join('\n'),
  );
  expect(printed.err).toContain('There is no layout for VIN 1HGCM82633A004352');
  expect(printed.err).toContain('specs.market is left out by the correction');

  const written = await marque('corrections', 'export', '--to', world);
  expect(written).toMatchObject({ status: 0 });
  expect(written.err).toContain('Wrote volkswagen/corrections.csv\n');
  expect(readFileSync(join(world, 'sources.csv'), 'utf8')).toContain(`REPORT-${golf},labelled,facts only,`);
  const decoded = interpret(loadWorld(world), GOLF);
  expect(decoded).toMatchObject({ outputs: { trim: 'Edition, "R"', powerKw: 77 } });

  // Once more changes nothing, and names are not put in twice.
  const again = await marque('corrections', 'export', '--to', world);
  expect(again).toMatchObject({ status: 0 });
  expect(again.err).not.toContain('Wrote');
  expect((await marque('corrections', 'export', '--to', folder)).err).toContain('is not a facts folder');

  // A correction of one VIN stays out of the files, and a table without rows is left empty.
  expect((await marque('corrections', 'revert', golf, '--reason', 'No.')).status).toBe(0);
  const own = await reported(GOLF);
  expect((await marque('corrections', 'accept', own, '--set', 'trim=GTI')).status).toBe(0);
  expect((await marque('corrections', 'export', '--json')).out).toContain(GOLF.slice(3));
  const without = await marque('corrections', 'export', '--to', world);
  expect(without.err).toBe(
    'Left out 2 corrections of a single VIN: no erasure would find the VIN in the facts. They stay overrides.\n' +
      'Wrote volkswagen/corrections.csv\n',
  );
  expect(without.status).toBe(0);
  expect(readFileSync(join(world, 'volkswagen', 'corrections.csv'), 'utf8')).not.toContain('1K');
  expect(interpret(loadWorld(world), GOLF)?.outputs.trim).toBeUndefined();
});

test('a drive that facts have no word for is left out of an export, whatever it is called', async () => {
  const names = ['constructor', 'toString', '__proto__', 'valueOf', 'hasOwnProperty'];
  const database = await openDatabase({ dataDir: folder, databaseUrl: undefined }, 'tool');
  const on = await correctionsOn(database);
  const by = { by: 'admin:a@example.com', reason: 'Seen.' } as const;
  for (const [index, name] of names.entries()) {
    const id = await report(on, claimOn(GOLF));
    const scope = { kind: 'pattern', wmi: 'WVW', pattern: GOLF.slice(3, 8 + index), years: [2003, 2006] } as const;
    const accepted = await on.corrections.accept(id, { scope, fields: { 'specs.driveType': name } }, by);
    expect(accepted.kind).toBe('accepted');
  }
  await on.live.close();
  await database.close();
  const printed = await marque('corrections', 'export');
  expect(printed).toMatchObject({ status: 0, out: '\n' });
  for (const name of names) {
    expect(printed.err).toContain(`specs.driveType cannot be "${name}" in the tables of facts.`);
  }
});
