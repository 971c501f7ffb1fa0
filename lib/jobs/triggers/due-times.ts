import { TimeMatcher, validateCrontab } from '@dbos-inc/dbos-sdk/internal/scheduler/crontab';
import type { Schedule } from '@/lib/base/triggers';

/*
 * Due times of a schedule. When clocks change, a schedule behaves as with cron (cron(8), Vixie):
 *
 *   hours are named (`30 2 * * *`)      one start for each time on the clock: a time that is skipped starts when the clock jumps,
 *                                       and one that comes twice starts the first time
 *   every hour, or every n (`0 * * * *`)  by the time that passes: a skipped hour starts nothing, an hour that comes twice starts twice
 *
 * The fields are read by the parser of DBOS.
 */

const dayMs = 86_400_000;
const mostCounted = 1_000;

/** Says what is wrong with a schedule, as a sentence, or `undefined`. */
export function problemOfSchedule({ cron, zone }: Schedule, now: number): string | undefined {
  if (!isZone(zone)) return `'${zone}' is no time zone. Write one such as Europe/Berlin or UTC.`;
  if (cron.trim().split(/\s+/).length !== 5) {
    return 'Write five fields: minute, hour, day of the month, month, day of the week. For example 0 7 * * 1-5.';
  }
  try {
    validateCrontab(cron);
  } catch (error) {
    return `The schedule cannot be read: ${error instanceof Error ? error.message : 'a field is wrong'}.`;
  }
  return dueAfter({ cron, zone }, now) === undefined ? 'The schedule is never due.' : undefined;
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the first due time after a moment, or `undefined` if there is none. Both are epoch milliseconds. */
export function dueAfter({ cron, zone }: Schedule, after: number): number | undefined {
  const found = eitherDay(cron).flatMap((one) => firstAfter({ cron: one, zone }, after) ?? []);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** A schedule with a day of the month and a day of the week is due on either of them (crontab(5)). */
function eitherDay(cron: string): readonly string[] {
  const [minute, hour, day = '*', month, weekday = '*'] = cron.trim().split(/\s+/);
  if (/^[*?]/.test(day) || /^[*?]/.test(weekday)) return [cron];
  return [
    [minute, hour, day, month, '*'],
    [minute, hour, '*', month, weekday],
  ].map((fields) => fields.join(' '));
}

function firstAfter({ cron, zone }: Schedule, after: number): number | undefined {
  const hours = cron.trim().split(/\s+/)[1] ?? '*';
  if (hours.startsWith('*')) return nextMatch(new TimeMatcher(cron, zone), after);
  const matcher = new TimeMatcher(cron, 'UTC');
  // Times on the clock are counted as if they were UTC.
  let clock: number | undefined = after + offsetAt(after, zone);
  for (;;) {
    clock = nextMatch(matcher, clock);
    if (clock === undefined) return undefined;
    const at = firstMoment(clock, zone);
    if (at > after) return at;
  }
}

/** The first due time of several, and those after it that passed. */
export interface PassedTimes {
  /** The last due time up to now. */
  readonly last: number;
  /** How many were before it, up to 1,000. */
  readonly missed: number;
}

/** Returns the last due time up to now. `first` is the due time from which nothing has started. */
export function passedTimes(schedule: Schedule, first: number, now: number): PassedTimes {
  let last = first;
  for (let missed = 0; ; missed += 1) {
    const next = dueAfter(schedule, last);
    if (next === undefined || next > now) return { last, missed };
    if (missed === mostCounted) return { last: lastUpTo(schedule, next, now), missed };
    last = next;
  }
}

/** Looks at spans before now that grow, so that years without a worker cost no more than an hour. */
function lastUpTo(schedule: Schedule, known: number, now: number): number {
  for (const days of [1 / 24, 1, 32, 367]) {
    let last: number | undefined;
    let next = dueAfter(schedule, now - days * dayMs);
    while (next !== undefined && next <= now) {
      last = next;
      next = dueAfter(schedule, next);
    }
    if (last !== undefined) return last;
  }
  return known;
}

/** The matcher returns a moment that does not match where it found none. */
function nextMatch(matcher: TimeMatcher, after: number): number | undefined {
  const next = matcher.nextWakeupTime(after);
  return matcher.match(next) ? next.getTime() : undefined;
}

/** Returns the first moment at which the clock shows at least a time. It exceeds the time only if clocks skip it. */
function firstMoment(clock: number, zone: string): number {
  const offsets = [offsetAt(clock - dayMs, zone), offsetAt(clock + dayMs, zone)].sort((a, b) => b - a);
  const moments = offsets.map((offset) => clock - offset);
  const shown = moments.find((moment) => moment + offsetAt(moment, zone) === clock);
  return shown ?? changeBetween(moments[0] ?? clock, moments[1] ?? clock, zone);
}

/** Returns the first second with the offset of `end`. */
function changeBetween(start: number, end: number, zone: string): number {
  const before = offsetAt(start, zone);
  let [low, high] = [start, end];
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far the clock is ahead of UTC, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const format = formats.get(zone) ?? formatOf(zone);
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const clock = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return clock - Math.floor(at / 1_000) * 1_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const number = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...number,
    minute: 'numeric',
    second: 'numeric',
  });
}
