import { formatCost } from './cost';
import { formatCount, formatDuration } from './wording';

/** Sums of runs. Duration, tokens, cost and errors are those of runs that have ended. */
export interface RunSums {
  readonly runs: number;
  readonly ended: number;
  readonly failed: number;
  /** How many steps failed in them. */
  readonly errors: number;
  /** From the start to the end of each, without the queue. */
  readonly durationMs: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Runs with tokens whose price is not known. */
  readonly unpriced: number;
}

/** Writes a sum of costs: `$1.20`, and `≥ $1.20` if the price of some run is not known. */
export function costOfSums({ costUsd, unpriced }: Pick<RunSums, 'costUsd' | 'unpriced'>): string {
  return formatCost({ usd: costUsd, unpriced: unpriced > 0 ? ['some'] : [] });
}

/** Writes the sums of a group in a line: `1 failed · 2 m 03 s · 12.3k tokens · $0.42`. Empty before a run has ended. */
export function sumsLine(sums: RunSums): string {
  const { ended, failed, durationMs, tokens } = sums;
  if (ended === 0) return '';
  return [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    formatDuration(durationMs * 1_000),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`, costOfSums(sums)] : []),
  ].join(' · ');
}
