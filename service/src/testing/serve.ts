import { readConfig } from '../config.ts';
import { createLog } from '../http/log.ts';
import { openService } from '../main.ts';
import { decoder } from './decoder.ts';

/**
 * A whole service as a process of its own, for tests that kill it: configured by its environment, it listens and tells
 * its address on standard output.
 */
const reading = readConfig(process.env);
if (reading.kind === 'faulty') throw new Error(reading.faults.join(' '));
const { app } = await openService(reading.config, decoder, createLog('silent', process.stderr));
process.stdout.write(await app.listen({ host: '127.0.0.1', port: 0 }));
