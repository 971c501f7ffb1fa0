/*
 * When a schedule is due next, in words.
 */

/** Writes a moment as the clock of a time zone shows it: `Wed 25 Nov, 02:30`. */
export function clockWords(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    },
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')}, ${part('hour')}:${part('minute')}`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Writes how far away a moment is: `in 14 hours`. */
export function untilWords(at: number, now: number): string {
  const away = at - now;
  if (away < minute) return 'in less than a minute';
  const [count, unit] =
    away < hour
      ? [Math.round(away / minute), 'minute']
      : away < 2 * day
        ? [Math.round(away / hour), 'hour']
        : [Math.round(away / day), 'day'];
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}
