import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createContext, runInContext } from 'node:vm';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type RealService, startService } from './real-service.ts';

const PAGE = readFileSync(new URL('../../docs/spreadsheets.md', import.meta.url), 'utf8');
const HONDA = '1HGCM82633A004352';
const GOLF = 'WVWZZZ1KZCW000001';

let service: RealService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service[Symbol.asyncDispose]());

/** Code of the page, with the address of the service that runs. */
function code(language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(PAGE) ?? [];
  if (text === undefined) throw new Error(`There is no ${language} on the page.`);
  return text.replaceAll('https://YOUR-SERVICE', service.url);
}

/** Fetches while the caller waits, as Google's UrlFetchApp does. */
const FETCH = `
  const [url, init] = JSON.parse(process.argv[1]);
  fetch(url, init).then(async (answer) => process.stdout.write(JSON.stringify([answer.status, await answer.text()])));
`;

interface Sheet {
  MARQUE: (vins: string | string[][], field?: string) => unknown;
  /** Returns the number of requests sent. */
  sent: () => number;
}

/** Runs the script in Google Sheets, with stand-ins for Google's functions. */
function openSheet(key: string): Sheet {
  const cached = new Map<string, string>();
  let sent = 0;
  const context = createContext({
    PropertiesService: { getScriptProperties: () => ({ getProperty: () => key }) },
    CacheService: {
      getScriptCache: () => ({
        getAll: (names: string[]) => Object.fromEntries([...cached].filter(([name]) => names.includes(name))),
        put: (name: string, value: string) => cached.set(name, value),
      }),
    },
    Utilities: {
      DigestAlgorithm: { SHA_256: 'sha256' },
      computeDigest: (algorithm: string, text: string) => createHash(algorithm).update(text).digest(),
      base64EncodeWebSafe: (bytes: Buffer) => bytes.toString('base64url'),
    },
    UrlFetchApp: {
      fetch: (url: string, { method, contentType, headers, payload }: Record<string, string> & { headers: object }) => {
        sent += 1;
        const init = { method, headers: { ...headers, 'content-type': contentType }, body: payload };
        const printed = execFileSync(process.execPath, ['--eval', FETCH, JSON.stringify([url, init])]);
        const [status, text]: [number, string] = JSON.parse(String(printed));
        return { getResponseCode: () => status, getContentText: () => text };
      },
    },
  });
  runInContext(code('js'), context);
  const MARQUE: Sheet['MARQUE'] = runInContext('MARQUE', context);
  return { MARQUE: (...words) => JSON.parse(JSON.stringify(MARQUE(...words))), sent: () => sent };
}

test('the function for Google Sheets decodes cells and columns, and asks for each VIN once', async () => {
  const { MARQUE, sent } = openSheet(await service.keyFor('sheets', 3));
  expect(MARQUE(HONDA, 'model')).toBe('Accord');
  expect(MARQUE(HONDA)).toBe('Accord');
  expect(MARQUE(HONDA, 'specs.fuelType')).toBe('Gasoline');
  expect(MARQUE(HONDA, 'specs.nothing')).toBe('');
  expect(sent()).toBe(1);
  const column = [[HONDA], [''], [GOLF], ['WBA'], [GOLF]];
  expect(MARQUE(column, 'manufacturer')).toEqual([
    ['Honda'],
    [''],
    ['Volkswagen'],
    [expect.stringContaining('17 characters')],
    ['Volkswagen'],
  ]);
  expect(sent()).toBe(2);
});

test('the function for Google Sheets shows why the service refuses', () => {
  expect(() => openSheet('mq_live_wrong').MARQUE(HONDA, 'model')).toThrow(/API key/);
});

test('the script for Excel writes the fields beside the VINs', async () => {
  const key = await service.keyFor('excel', 5);
  const written: unknown[][] = [];
  const target = { setValues: (rows: unknown[][]) => written.push(...rows) };
  const selected = {
    getValues: () => [[HONDA], ['WBA'], [''], [GOLF]],
    getColumn: () => ({
      getOffsetRange: () => ({
        getResizedRange: () => target,
      }),
    }),
  };
  const script = stripTypeScriptTypes(code('ts').replace("KEY = ''", `KEY = '${key}'`));
  const context = createContext({ fetch });
  runInContext(script, context);
  const main: (workbook: object) => Promise<void> = runInContext('main', context);
  await main({ getSelectedRange: () => selected });
  expect(written).toEqual([
    ['Honda', 'Accord', '2003', 'Coupe'],
    [expect.stringContaining('17 characters'), expect.any(String), expect.any(String), expect.any(String)],
    ['', '', '', ''],
    ['Volkswagen', 'Golf', '2012', expect.any(String)],
  ]);
});

test('the address and the path of the formula for Excel give the field', async () => {
  const [, start = '', end = ''] = /WEBSERVICE\("([^"]+)" & vin & "([^"]+)"\)/.exec(code('text')) ?? [];
  const answer = await fetch(`${start}${HONDA}${end}`);
  expect(answer.status).toBe(200);
  const xml = await answer.text();
  for (const [field, value] of Object.entries({ Make: 'HONDA', Model: 'Accord', ModelYear: '2003' })) {
    expect([...xml.matchAll(new RegExp(`<${field}>([^<]*)</${field}>`, 'g'))].map(([, text]) => text)).toEqual([value]);
  }
});
