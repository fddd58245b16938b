import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

import { answerRequests } from '../kernel/threads/thread.ts';

/** What the worker is asked. It answers about how many tries a guesser needs. */
export interface GuessableQuestion {
  password: string;
  words: readonly string[];
}

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

answerRequests<GuessableQuestion, number>(({ password, words }) => ({
  answer: estimator.check(password, [...words]).guesses,
  transfer: [],
}));
