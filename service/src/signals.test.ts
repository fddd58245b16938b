import { EventEmitter } from 'node:events';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { untilSignalled } from './signals.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function start(begun: Promise<string> = Promise.resolve('service')) {
  const source = new EventEmitter();
  const stopping = Promise.withResolvers<undefined>();
  const stop = vi.fn<(running: string) => Promise<undefined>>(() => stopping.promise);
  const force = vi.fn<(why: string, running: string | undefined) => void>();
  const ready = vi.fn<(running: string) => void>();
  const starting = vi.fn<() => Promise<string>>(() => {
    expect(source.listenerCount('SIGTERM')).toBe(1);
    return begun;
  });
  const done = untilSignalled(source, { start: starting, ready, stop, force });
  return { source, ready, stop, force, done, stopped: () => stopping.resolve(undefined) };
}

test('the first signal stops in order and forces nothing', async () => {
  const { source, ready, stop, force, done, stopped } = start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ready).toHaveBeenCalledExactlyOnceWith('service');
  expect(stop).not.toHaveBeenCalled();
  source.emit('SIGTERM');
  stopped();
  await done;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stop).toHaveBeenCalledExactlyOnceWith('service');
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
  await vi.advanceTimersByTimeAsync(0);
  source.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(1_000);
  source.emit('SIGTERM');
  expect(force).toHaveBeenCalledExactlyOnceWith('second signal', 'service');
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
  await vi.advanceTimersByTimeAsync(0);
  source.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(25_001);
  expect(force).toHaveBeenCalledExactlyOnceWith('time is up', 'service');
  stopped();
  await done;
});

test('a signal while the service starts stops it once it runs, and a second one at once', async () => {
  const begun = Promise.withResolvers<string>();
  const { source, ready, stop, force, done, stopped } = start(begun.promise);
  source.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stop).not.toHaveBeenCalled();
  source.emit('SIGTERM');
  expect(force).toHaveBeenCalledExactlyOnceWith('second signal', undefined);
  begun.resolve('service');
  stopped();
  await done;
  expect(ready).not.toHaveBeenCalled();
  expect(stop).toHaveBeenCalledExactlyOnceWith('service');
});

test('a service that cannot start reports why, and no longer listens', async () => {
  const { source, done } = start(Promise.reject(new Error('The port is taken.')));
  await expect(done).rejects.toThrow('The port is taken.');
  expect(source.listenerCount('SIGTERM')).toBe(0);
});
