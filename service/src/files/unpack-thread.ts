import { answerRequests } from '../kernel/threads/thread.ts';
import { rowsText } from './file-pages.ts';
import { type PackedFile, unpack, type Unpacked } from './unpack.ts';

const UTF8 = new TextEncoder();

answerRequests<PackedFile, Unpacked>(async (file) => {
  const answer = await unpack(file);
  if (answer.kind !== 'read') return { answer, transfer: [] };
  // As bytes: strings of a message are all created at once when it is received.
  const pages = answer.pages.map(({ rows, ...page }) => ({ ...page, rows: UTF8.encode(rowsText({ rows })) }));
  return { answer: { ...answer, pages }, transfer: pages.map(({ rows }) => rows.buffer) };
});
