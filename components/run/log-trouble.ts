import type { LogMark, Trace } from '@/lib/trace/trace';

/** Counts warnings and errors, for the number on the tab of the log. */
export function countTrouble(trace: Trace): number {
  return trace.logs.filter(isTrouble).length;
}

export function isTrouble({ level }: LogMark): boolean {
  return level === 'warning' || level === 'error';
}
