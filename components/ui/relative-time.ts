const steps = [
  { unit: 'second', ms: 1_000, until: 60_000 },
  { unit: 'minute', ms: 60_000, until: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, until: 86_400_000 },
  { unit: 'day', ms: 86_400_000, until: 604_800_000 },
] as const;

/**
 * Writes a time such as "5 minutes ago". Under ten seconds it is "just now", over a week the date. Both times are in epoch
 * milliseconds.
 */
export function relativeTime(then: number, now: number): string {
  const ago = Math.max(0, now - then);
  if (ago < 10_000) return 'just now';
  const step = steps.find((candidate) => ago < candidate.until);
  if (!step) return new Date(then).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(-Math.floor(ago / step.ms), step.unit);
}
