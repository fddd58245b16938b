import { type ProjectFacts, readProjectFacts } from '../build.ts';

let facts: ProjectFacts | undefined;

/** The project's facts, read once for all test files of a worker: that takes seconds. */
export function projectFacts(): ProjectFacts {
  return (facts ??= readProjectFacts());
}
