import type { RunSums } from '@/lib/trace/run-sums';
import { Prisma } from './generated/client';

/** What `sumsSql` selects. */
export interface SumsRow extends Omit<RunSums, 'runs'> {
  readonly runCount: number;
}

const noSums: SumsRow = {
  ...{ runCount: 0, ended: 0, failed: 0, errors: 0 },
  ...{ durationMs: 0, tokens: 0, costUsd: 0, unpriced: 0 },
};

/** Returns the sums of a row; those of no run without one. */
export function toSums(row: SumsRow = noSums): RunSums {
  const { runCount, ended, failed, errors, durationMs, tokens, costUsd, unpriced } = row;
  return { runs: runCount, ended, failed, errors, durationMs, tokens, costUsd, unpriced };
}

/** The sums of runs (lib/trace/run-sums.ts), as columns of a statement. `over` is `OVER ()` for those of a window. */
export function sumsSql(over: '' | 'OVER ()'): Prisma.Sql {
  const columns = [
    `count(*) ${over}::int AS "runCount"`,
    `count(*) FILTER (WHERE "finishedAt" IS NOT NULL) ${over}::int AS ended`,
    `count(*) FILTER (WHERE status = 'failed') ${over}::int AS failed`,
    `COALESCE(sum(errors) ${over}, 0)::float8 AS errors`,
    `COALESCE(sum(EXTRACT(EPOCH FROM "finishedAt" - "startedAt")) ${over}, 0)::float8 * 1000 AS "durationMs"`,
    `COALESCE(sum(tokens) ${over}, 0)::float8 AS tokens`,
    `COALESCE(sum("costUsd") ${over}, 0)::float8 AS "costUsd"`,
    `count(*) FILTER (WHERE "costUsd" IS NULL AND tokens > 0) ${over}::int AS unpriced`,
  ];
  return Prisma.raw(columns.join(', '));
}
