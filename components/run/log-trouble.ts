import type { LogMark, Trace } from '@/lib/trace/trace';

/** Warnings and errors: what the count on the tab of the log says. */
export function countTrouble(trace: Trace): number {
  return trace.logs.filter(isTrouble).length;
}

export function isTrouble({ level }: LogMark): boolean {
  return level === 'warning' || level === 'error';
}
