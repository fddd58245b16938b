import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

import { answerRequests } from '../kernel/threads/thread.ts';

/** A request to the worker. It answers with about how many guesses an attacker needs. */
export interface GuessableQuestion {
  password: string;
  words: readonly string[];
}

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

answerRequests<GuessableQuestion, number>(({ password, words }) => ({
  answer: estimator.check(password, [...words]).guesses,
  transfer: [],
}));
