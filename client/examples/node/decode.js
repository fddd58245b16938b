import { Marque } from '@marque/client';
const marque = new Marque({
  baseUrl: process.env.MARQUE_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.MARQUE_KEY,
});
for (const vin of process.argv.slice(2)) process.stdout.write(`${JSON.stringify((await marque.decode(vin)).report)}\n`);
