import { openCatalog } from '@marque/decoder';

import { distinctVins } from './distinct-vins.ts';
import { settledMemory } from './settled-memory.ts';

// Prints the MiB that an opened and used catalog takes: the file itself, and the memory that grows beside it.
// `decoder.ts` runs this in a process of its own, where nothing else is freed meanwhile.
const [file = ''] = process.argv.slice(2);
const vins = distinctVins(10_000);
const before = await settledMemory();
const decoder = openCatalog(file);
for (const vin of vins) decoder.decode(vin);
const after = await settledMemory();
// Naming the decoder here keeps it from being collected before it is measured.
process.stdout.write(String(decoder.info.bytes === 0 ? 0 : (after - before) / 2 ** 20));
