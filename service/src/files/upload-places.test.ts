import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { UploadPlaces } from './upload-places.ts';

const TENANT = { id: 'workspace', isPaid: false };
const BOUNDS = { all: 4, perTenant: 2, waiting: 10, waitingPerTenant: 2 };

let nowMs: number;
let places: UploadPlaces;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  nowMs = 0;
  places = new UploadPlaces(BOUNDS, () => nowMs, 'Too many.');
});

afterEach(() => void vi.useRealTimers());

/** Asks for a place. An upload that loses it leaves. */
function send(id: string) {
  const socket = new Socket();
  let bytes = 0;
  Object.defineProperty(socket, 'bytesRead', { get: () => bytes });
  const [request, gone] = [new IncomingMessage(socket), new AbortController()];
  const bring = (more: number): void => void (bytes += more);
  const upload = { request, bring, gone: gone.signal, state: 'waits', leave: () => {} };
  const enter = async (): Promise<void> => {
    try {
      upload.leave = await places.enter({ tenant: TENANT, id }, request, gone);
      upload.state = 'taken';
      upload.gone.addEventListener('abort', upload.leave);
    } catch {
      upload.state = 'refused';
    }
  };
  const entered = enter();
  return Object.assign(upload, { entered });
}

/** Lets time pass, in which those that wait look at the bodies of others. */
async function pass(milliseconds: number): Promise<void> {
  await nextTurn();
  nowMs += milliseconds;
  vi.advanceTimersByTime(milliseconds);
  await nextTurn();
}

test('a sender who has none gets the place of one of several late bodies of another, and of one that hardly comes', async () => {
  const [first, second] = [send('one'), send('one')];
  await pass(60_000);
  const other = send('other');
  await pass(250);
  const refusal: unknown = expect.objectContaining({ statusCode: 429, message: 'Too many.' });
  expect([first.gone.reason, second.gone.aborted, other.state]).toEqual([refusal, false, 'taken']);
  const third = send('third');
  second.bring(10_000);
  await pass(750);
  expect(third.state).toBe('waits');
  // Each has one place now. Of these only one that has brought little meanwhile is late.
  second.bring(10_000);
  other.bring(9_999);
  await pass(250);
  expect([second.gone.aborted, other.gone.reason, third.state]).toEqual([false, refusal, 'taken']);
});

test('bodies that have come, or come soon, keep their places', async () => {
  const [first, second] = [send('one'), send('one')];
  const other = send('other');
  await pass(750);
  second.request.emit('end');
  for (let seconds = 0; seconds < 60; seconds++) {
    first.bring(10_000);
    await pass(1_000);
  }
  expect([first.gone.aborted, second.gone.aborted, other.state]).toEqual([false, false, 'waits']);
  second.leave();
  await nextTurn();
  expect(other.state).toBe('taken');
});

test('late bodies of a sender keep their places from its own next one', async () => {
  const [first, second, third] = [send('one'), send('one'), send('one')];
  await pass(60_000);
  expect([first.state, second.state, third.state]).toEqual(['taken', 'taken', 'waits']);
  expect([first.gone.aborted, second.gone.aborted]).toEqual([false, false]);
});

test('files of one sender that wait take no place from those of others that do', async () => {
  const own = Array.from({ length: 5 }, () => send('one'));
  const others = [send('other'), send('third')];
  await nextTurn();
  expect(own.map(({ state }) => state)).toEqual(['taken', 'taken', 'waits', 'waits', 'refused']);
  expect(others.map(({ state }) => state)).toEqual(['waits', 'waits']);
  own[0]?.leave();
  own[1]?.leave();
  await nextTurn();
  expect(others.map(({ state }) => state)).toEqual(['taken', 'taken']);
});

test('a sender whose upload found no place for the workspace may send the next one', async () => {
  places = new UploadPlaces({ ...BOUNDS, waitingPerTenant: 0 }, () => nowMs, 'Too many.');
  const [taken] = [send('one'), send('other')];
  for (let count = 0; count < 4; count++) {
    const late = send('late');
    await late.entered;
    expect(late.state).toBe('refused');
  }
  taken.leave();
  const next = send('late');
  await next.entered;
  expect(next.state).toBe('taken');
});
