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

/** Returns the time from the local midnight of 1 January 1970 to the origin of a run, in microseconds: there, its clock has 0. */
export function clockZero(origin: number): number {
  return Math.round((origin - new Date(origin).getTimezoneOffset() * 60_000) * 1_000);
}

const day = 86_400_000_000;

/**
 * Writes the clock at a tick of the axis, with as many decimals as neighbours need to differ, and the date at midnight. `local` is
 * `clockZero` and the moment, `step` the distance between two ticks; both are in microseconds.
 */
export function clockTick(local: number, step: number): string {
  const at = new Date(Math.floor(local / 1_000));
  if (step >= day || (step >= 60_000_000 && local % day === 0))
    return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const time = at.toLocaleTimeString('en-GB', { ...clock, timeZone: 'UTC' });
  if (step >= 60_000_000) return time.slice(0, 5);
  if (step >= 1_000_000) return time;
  const decimals = 6 - Math.floor(Math.log10(Math.max(step, 1)));
  return `${time}.${String(local % 1_000_000)
    .padStart(6, '0')
    .slice(0, decimals)}`;
}

function dateOf(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', date);
}
