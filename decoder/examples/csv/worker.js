// Workers know no import map: the package is named by its path.
import { fetchCatalog, packagedCatalog, readVin } from './node_modules/@marque/decoder/dist/index.js';
import { lineOf, recordsOf } from './records.js';

const COLUMNS = ['manufacturer', 'model', 'modelYear', 'bodyStyle', 'plant', 'region'];
const ROWS_A_MESSAGE = 5_000;

const decoder = await fetchCatalog(packagedCatalog());
addEventListener('message', ({ data: file }) => {
  decodeFile(file).then(postMessage, () => postMessage({ kind: 'failed', message: 'The file cannot be read.' }));
});
postMessage({ kind: 'ready' });

/** Decodes every row; the result is the file with columns added. */
async function decodeFile(file) {
  const lines = [];
  let column = -1;
  let rows = 0;
  let faulty = 0;
  for await (const record of recordsOf(file)) {
    if (column === -1) {
      column = record.findIndex((name) => /\bvin\b/i.test(name));
      if (column === -1) return { kind: 'failed', message: 'No column is named VIN. Add a first row with names.' };
      lines.push(lineOf([...record, ...COLUMNS, 'error']));
      continue;
    }
    if (record.length === 1 && record[0] === '') continue;
    const answer = decoded(record[column] ?? '');
    if (answer.error !== '') faulty += 1;
    lines.push(lineOf([...record, ...COLUMNS.map((name) => answer[name] ?? ''), answer.error]));
    rows += 1;
    if (rows % ROWS_A_MESSAGE === 0) postMessage({ kind: 'progress', rows });
  }
  return { kind: 'done', rows, faulty, csv: new Blob(lines, { type: 'text/csv' }) };
}

function decoded(text) {
  const form = readVin(text);
  return form.kind === 'vin' ? { ...decoder.decode(form.vin), error: '' } : { error: form.message };
}
