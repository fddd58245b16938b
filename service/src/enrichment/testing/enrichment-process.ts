import { openDatabase } from '../../database.ts';
import { enrichmentOn, type TestEnrichment } from './enrichment.ts';

// A separate process that looks up pending VINs until it is killed: `node enrichment-process.ts LOCATION OPTIONS`.
const [location = '', options = ''] = process.argv.slice(2);
const where: Parameters<typeof openDatabase>[0] = JSON.parse(location);
const how: TestEnrichment = JSON.parse(options);
enrichmentOn(await openDatabase(where, 'tool'), how).start();
