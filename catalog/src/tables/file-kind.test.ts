import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { kindOfFile } from './index.ts';

test.each([
  ['CSV', 'vin,note\n1HGCM82633A004352,a\n'],
  ['lines of JSON', '{"vin":"1HGCM82633A004352"}\n'],
  ['lines of JSON with a list', '{"a":[1,\t2],"vin":"1HGCM82633A004352"}\n{"a":[],"vin":null}\n'],
  ['names in brackets, as SQL Server writes them', '[VIN],[Model]\n1HGCM82633A004352,x\n'],
  ['a comparison', '<5 km,VIN\n1,1HGCM82633A004352\n'],
  ['nothing', ''],
  ['CSV that begins like SYLK', 'ID;Plate;VIN\r\n1;HH-A 1;1HGCM82633A004352'],
])('%s is text', (_, text) => {
  expect(kindOfFile(Buffer.from(text))).toEqual({ kind: 'text' });
});

test.each([
  ['zip', 'PK\u0003\u0004'],
  ['parquet', 'PAR1'],
])('%s is known by its first bytes', (kind, text) => {
  expect(kindOfFile(Buffer.from(text))).toEqual({ kind });
});

test.each([
  ['a workbook of Excel 97', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'Save it as .xlsx or CSV'],
  ['Arrow', Buffer.from('ARROW1\0\0'), 'Write the table as Parquet'],
  ['gzip', gzipSync('x'), 'Unpack it'],
  ['a PDF', Buffer.from('%PDF-1.7'), 'CSV or .xlsx'],
  ['a table of a web page under the name .xls', Buffer.from('\uFEFF<table border=1><tr>'), 'save it as .xlsx or CSV'],
  ['a workbook as XML', Buffer.from('<?xml version="1.0"?>\n<Workbook'), 'save it as .xlsx or CSV'],
  ['a JSON list', Buffer.from(' [\n {"vin": 1}]'), 'on each line'],
  [
    'JSON with its fields below each other',
    Buffer.from('\uFEFF{\n  "VIN": "1HGCM82633A004352",\n  "id": 1\n}\n'),
    'on each line',
  ],
  ['JSON that breaks lines between fields', Buffer.from('{"id": 1,\r\n"VIN": "1HGCM82633A004352"}'), 'on each line'],
  ['a JSON list of texts', Buffer.from('["1HGCM82633A004352", "x"]'), 'on each line'],
  ['SYLK', Buffer.from('ID;PSheetJS'), 'save it as .xlsx or CSV'],
  ['DIF', Buffer.from('TABLE\r\n0,1\r\n'), 'save it as .xlsx or CSV'],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x56, 0, 0, 0]), 'UTF-8'],
])('%s is named, with what to do', (_, bytes, what) => {
  const found = kindOfFile(bytes);
  expect(found.kind === 'refused' ? found.what : found.kind).toContain(what);
});
