import { EventEmitter } from 'node:events';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { untilSignalled } from './signals.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const source = new EventEmitter();
  const stopping = Promise.withResolvers<undefined>();
  const stop = vi.fn<() => Promise<undefined>>(() => stopping.promise);
  const force = vi.fn<(why: string) => void>();
  const listening = vi.fn<() => void>(() => expect(source.listenerCount('SIGTERM')).toBe(1));
  const done = untilSignalled(source, { listening, stop, force });
  expect(listening).toHaveBeenCalledOnce();
  return { source, stop, force, done, stopped: () => stopping.resolve(undefined) };
}

test('the first signal stops in order and forces nothing', async () => {
  const { source, stop, force, done, stopped } = start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stop).not.toHaveBeenCalled();
  source.emit('SIGTERM');
  stopped();
  await done;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stop).toHaveBeenCalledOnce();
  expect(force).not.toHaveBeenCalled();
  expect(source.listenerCount('SIGTERM') + source.listenerCount('SIGINT') + source.listenerCount('SIGHUP')).toBe(0);
});

test('a terminal that closes stops it in order', async () => {
  const { source, stop, force, done, stopped } = start();
  source.emit('SIGHUP');
  stopped();
  await done;
  expect(stop).toHaveBeenCalledOnce();
  expect(force).not.toHaveBeenCalled();
});

test('a second signal ends the process at once', async () => {
  const { source, force, done, stopped } = start();
  source.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(1_000);
  source.emit('SIGTERM');
  expect(force).toHaveBeenCalledExactlyOnceWith('second signal');
  stopped();
  await done;
});

test('Ctrl-C that arrives twice at once, from the terminal and from npm, is one signal', async () => {
  const { source, force, done, stopped } = start();
  source.emit('SIGINT');
  source.emit('SIGINT');
  expect(force).not.toHaveBeenCalled();
  stopped();
  await done;
});

test('a service that does not stop within 25 seconds is ended', async () => {
  const { source, force, done, stopped } = start();
  source.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(25_001);
  expect(force).toHaveBeenCalledExactlyOnceWith('time is up');
  stopped();
  await done;
});
