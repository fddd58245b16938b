import { openCatalog, packagedCatalog } from '@marque/decoder';
const decoder = openCatalog(packagedCatalog());
for (const vin of process.argv.slice(2)) process.stdout.write(`${JSON.stringify(decoder.decode(vin))}\n`);
