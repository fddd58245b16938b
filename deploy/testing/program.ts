import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;

/** A program that runs, or ran, in a process of its own. */
export interface Program {
  child: ChildProcess;
  /** Everything it wrote so far, on both streams. */
  printed: () => string;
  /** Its exit status, null when a signal ended it, and everything it wrote. */
  ended: Promise<{ status: number | null; printed: string }>;
}

/** The parameters of starting a program. */
export interface Start {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Starts a program. */
export function start({ command: [file = '', ...words], env, cwd }: Start): Program {
  const child = spawn(file, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ status: code ?? null, printed: text }));
  return { child, printed: () => text, ended };
}

/** Waits until a service answers that it is ready. @throws Error with its output, if it ends before that. */
export async function untilReady(program: Program, origin: string): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    if (program.child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`Not ready: ${program.printed()}`);
    await sleep(20);
  }
}
