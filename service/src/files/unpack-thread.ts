import { answerRequests } from '../kernel/threads/thread.ts';
import { type PackedFile, unpack, type Unpacked } from './unpack.ts';

answerRequests<PackedFile, Unpacked>(async (file) => {
  const answer = await unpack(file);
  if (answer.kind !== 'read') return { answer, transfer: [] };
  return { answer, transfer: answer.pages.map(({ rows }) => rows.buffer) };
});
