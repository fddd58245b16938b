import { answerRequests } from '../kernel/threads/thread.ts';
import { type PackedFile, unpack, type Unpacked } from './unpack.ts';

answerRequests<PackedFile, Unpacked>(async (file) => ({ answer: await unpack(file), transfer: [] }));
