import { parentPort } from 'node:worker_threads';

import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** What the worker is asked. */
export interface GuessableQuestion {
  id: number;
  password: string;
  words: readonly string[];
}

/** What it answers: about how many tries a guesser needs. */
export interface GuessableAnswer {
  id: number;
  guesses: number;
}

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
parentPort?.on('message', ({ id, password, words }: GuessableQuestion) => {
  const answer: GuessableAnswer = { id, guesses: estimator.check(password, [...words]).guesses };
  parentPort?.postMessage(answer);
});
