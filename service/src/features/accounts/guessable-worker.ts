import { parentPort, workerData } from 'node:worker_threads';

import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** What the worker is given. */
export interface GuessableQuestion {
  password: string;
  words: readonly string[];
}

const { password, words }: GuessableQuestion = workerData;
const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
parentPort?.postMessage(estimator.check(password, [...words]).guesses);
