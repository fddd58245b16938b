import { parentPort, workerData } from 'node:worker_threads';

import { openCatalog } from '@marque/decoder';

import { Learner } from './learner.ts';
import { wmiOf } from './partition.ts';
import { readCars } from './read-cars.ts';
import type { ThreadStart } from './threads.ts';
import type { LearnConfidence } from './confidence.ts';

/** A thread of `learnInThreads`: it sends its trials of rules, receives the trusted classes, and sends its findings. */
const { files, columns, cars, catalog, layouts, learners, learner: own } = workerData as ThreadStart;
const learner = new Learner(layouts, openCatalog(catalog));
const isOwn = (vin: string): boolean => (learners.get(wmiOf(vin)) ?? 0) === own;
for (const car of cars) if (isOwn(car.vin)) learner.add(car);
for (const file of files) for (const { vin, car } of readCars(file, columns)) if (isOwn(vin)) learner.add(car());
parentPort?.once('message', (trust: LearnConfidence) => parentPort?.postMessage(learner.search(trust)));
parentPort?.postMessage(learner.sample());
