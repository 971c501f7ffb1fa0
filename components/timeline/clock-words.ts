import type { Trace } from '@/lib/trace/trace';

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/**
 * Writes the wall clock of a moment in the time zone of the browser: `16:45:12.345`. The moment is in microseconds since the run's
 * origin. Empty for a run without events.
 */
export function clockTime({ origin }: Pick<Trace, 'origin'>, us: number): string {
  if (origin === undefined) return '';
  const at = new Date(Math.floor(origin + us / 1_000));
  return `${at.toLocaleTimeString('en-GB', clock)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** Writes the date and the wall clock of a moment: `29 Nov 2026, 16:45:12.345`. */
export function clockDate(trace: Pick<Trace, 'origin'>, us: number): string {
  if (trace.origin === undefined) return '';
  return `${dateOf(trace.origin + us / 1_000)}, ${clockTime(trace, us)}`;
}

/** Writes the date and the wall clock of epoch milliseconds to the second: `29 Nov 2026, 16:45:12`. */
export function dateAndTime(at: number): string {
  return `${dateOf(at)}, ${new Date(at).toLocaleTimeString('en-GB', clock)}`;
}

function dateOf(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', date);
}
