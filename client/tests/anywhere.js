// Checks the client's promises in plain JavaScript for any runtime. `run-anywhere.ts` prepares the service and passes
// its address; a broken promise is thrown.
import { stdin, stdout } from 'node:process';

import {
  ConnectionFailedError,
  InvalidRequestError,
  LimitReachedError,
  Marque,
  NotAuthorizedError,
  UnavailableError,
} from '../dist/index.js';

const { serviceUrl, apiKey, lossyUrl, slowUrl, slowToRetryUrl, batchUrl } = JSON.parse(await readInput());

const VIN = '1HGCM82633A004352';
const marque = new Marque({ baseUrl: serviceUrl, apiKey });
const left = async () => (await marque.usage()).usage.remaining;

const first = await marque.decode('1hg-cm826-33a004352');
equal([first.report.manufacturer, first.report.model, first.report.vin], ['Honda', 'Accord', VIN]);
equal((await marque.check('1HGCM82633AOO4352')).suggestions[0].vin, VIN);

await throws(InvalidRequestError, () => marque.decode('not a VIN'));
await throws(NotAuthorizedError, () => new Marque({ baseUrl: serviceUrl, apiKey: 'wrong' }).decode(VIN));
const stranger = new Marque({ baseUrl: serviceUrl });
await stranger.decode(VIN);
const limited = await throws(LimitReachedError, () => stranger.decode(VIN));
equal([limited.limit, limited.resetAt instanceof Date], [1, true]);
await throws(ConnectionFailedError, () => new Marque({ baseUrl: 'http://127.0.0.1:9', retries: 1 }).check(VIN));
const busy = await throws(UnavailableError, () => new Marque({ baseUrl: slowUrl, apiKey }).decode(VIN));
equal(busy.retryAfterSeconds, 3600);

const before = await left();
equal((await new Marque({ baseUrl: lossyUrl, apiKey }).decode(VIN)).usage.remaining, before - 1);

const controller = new AbortController();
const call = new Marque({ baseUrl: slowToRetryUrl, apiKey }).decode(VIN, { signal: controller.signal });
queueMicrotask(() => controller.abort(new Error('enough')));
equal((await throws(Error, () => call)).message, 'enough');

const vins = Array.from({ length: 25 }, (_, index) => (index === 7 ? 'no VIN' : `1HGCM82633A0043${10 + index}`));
const beforeMany = await left();
const results = [];
for await (const result of new Marque({ baseUrl: batchUrl, apiKey }).decodeMany(vins, { batchSize: 10 })) {
  results.push(result);
}
equal(
  results.map(({ vin }) => vin),
  vins,
);
equal([results[7].status, results[24].report.model], ['invalid', 'Accord']);
equal(await left(), beforeMany - 24);

stdout.write('every promise held\n');

async function readInput() {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of stdin) text += decoder.decode(piece, { stream: true });
  return text;
}

function equal(found, wanted) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  }
}

/** Returns the thrown error, which must be of the kind. */
async function throws(kind, act) {
  try {
    await act();
  } catch (error) {
    if (error instanceof kind) return error;
    throw new Error(`${String(error)} is no ${kind.name}`, { cause: error });
  }
  throw new Error(`nothing was thrown, instead of a ${kind.name}`);
}
