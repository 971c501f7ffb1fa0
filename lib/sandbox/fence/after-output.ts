import type { ChildProcess } from 'node:child_process';

/** How long the pipes of a process may stay open after its end, in milliseconds. */
const mostWaitMs = 1_000;

type OnEnd = (code: number | null, signal: NodeJS.Signals | null) => void;

/**
 * Calls `onExit` when a process has ended, and then `onRead` once, when all that it wrote was read: Node tells of the end (`exit`) while the
 * last output may still be in the pipes, and of their end with `close`. A process that was left behind may keep them open, so the wait is
 * limited. A process that could not start has no `exit`.
 */
export function afterOutput(child: ChildProcess, { onExit, onRead }: { onExit: OnEnd; onRead: OnEnd }): void {
  let timer: NodeJS.Timeout | undefined;
  let isRead = false;
  const read: OnEnd = (code, signal) => {
    clearTimeout(timer);
    if (!isRead) onRead(code, signal);
    isRead = true;
  };
  child.once('exit', (code, signal) => {
    onExit(code, signal);
    timer = setTimeout(() => read(code, signal), mostWaitMs);
  });
  child.once('close', read);
}
