import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Supervised {
  /** Returns the process that runs now. */
  readonly child: () => ChildProcess | undefined;
  /**
   * Ends the process like `stop`, and starts it again immediately, without `onDeath`. Also skips the pause before the next
   * start.
   */
  restart(signal: NodeJS.Signals, patienceMs: number): void;
  /** Sends `signal`, and SIGKILL after `patienceMs`. The process is not started again. */
  stop(signal: NodeJS.Signals, patienceMs: number): Promise<void>;
}

export interface SuperviseOptions {
  start(): ChildProcess | Promise<ChildProcess>;
  /** Called before the next start; `reason` is "exit code 1" or "SIGKILL". */
  onDeath(reason: string): void;
  readonly firstDelayMs?: number;
}

const longestDelayMs = 10_000;
/** A process that lived this long did not fail at its start. */
const steadyMs = 20_000;

/** Keeps one process running: restarts it whenever it ends, with a longer pause after each early death. */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const firstDelayMs = options.firstDelayMs ?? 100;
  const stopping = new AbortController();
  let delayMs = firstDelayMs;
  let bornAt = performance.now();
  let current: ChildProcess | undefined = await options.start();
  /** Set while the next start is pending. */
  let restarting: Promise<void> | undefined;
  /** Ends the pause before the next start. */
  let waiting: AbortController | undefined;
  /** The process that was told to end by `restart`. */
  let replaced: ChildProcess | undefined;
  watch(current);

  function watch(child: ChildProcess): void {
    let dead = false;
    const onEnd = (reason: string) => {
      if (dead) return;
      dead = true;
      current = undefined;
      if (stopping.signal.aborted) return;
      restarting = startAgain(child === replaced ? undefined : reason);
    };
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    child.once('error', (error) => onEnd(error.message));
    if (child.exitCode !== null || child.signalCode !== null) onEnd(child.signalCode ?? `exit code ${child.exitCode}`);
  }

  /** Starts the process again. `firstReason` says why the process ended; it is `undefined` when `restart` has ended it. */
  async function startAgain(firstReason: string | undefined): Promise<void> {
    if (performance.now() - bornAt > steadyMs) delayMs = firstDelayMs;
    for (let reason = firstReason; ; ) {
      if (reason !== undefined) {
        options.onDeath(reason);
        waiting = new AbortController();
        const signal = AbortSignal.any([stopping.signal, waiting.signal]);
        await sleep(delayMs, undefined, { signal }).catch(() => undefined);
        delayMs = Math.min(delayMs * 2, longestDelayMs);
      }
      if (stopping.signal.aborted) return;
      try {
        bornAt = performance.now();
        current = await options.start();
        watch(current);
        return;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }

  return {
    child: () => current,
    restart(signal, patienceMs) {
      delayMs = firstDelayMs;
      waiting?.abort();
      if (current === undefined || current === replaced) return;
      replaced = current;
      void end(current, signal, patienceMs);
    },
    async stop(signal, patienceMs) {
      stopping.abort();
      // A process that is just starting must end too.
      await Promise.race([restarting, sleep(patienceMs, undefined, { ref: false })]);
      if (current !== undefined) await end(current, signal, patienceMs);
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals, patienceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  if ((await Promise.race([ended, sleep(patienceMs, 'late', { ref: false })])) !== 'late') return;
  child.kill('SIGKILL');
  await ended;
}
