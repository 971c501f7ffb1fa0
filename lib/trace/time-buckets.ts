/**
 * Durations in buckets, so that percentiles of any number of runs can be read from sums: bucket b holds the times from 2^(b/4)
 * milliseconds to 2^((b+1)/4), which is 19 % more. A percentile is therefore true to 9 %. The trigger `count_run` of the database has the same rule.
 */
const perDoubling = 4;

/** The bucket of what has no duration. */
export const noTime = -1;

/** Returns the bucket of a duration in milliseconds. Times below a millisecond are in bucket 0. */
export function bucketOf(ms: number): number {
  return Math.floor(perDoubling * Math.log2(Math.max(1, ms)));
}

/** A number of durations in each bucket. */
export type TimeBuckets = ReadonlyMap<number, number>;

/** Returns a duration in milliseconds that `part` of the durations do not exceed, true to 9 %; `undefined` without durations. */
export function percentileOf(buckets: TimeBuckets, part: number): number | undefined {
  const known = [...buckets].filter(([bucket, count]) => bucket !== noTime && count > 0).sort(([a], [b]) => a - b);
  const total = known.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of known) {
    seen += count;
    if (seen >= total * part) return 2 ** ((bucket + 0.5) / perDoubling);
  }
  return undefined;
}
