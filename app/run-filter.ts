import { z } from 'zod';
import { brandAs, type CorrelationId, type ProjectId } from '@/lib/base/ids';
import { cutText } from '@/lib/base/well-formed';
import type { RunPage } from '@/lib/client/run-info';
import { listRuns } from '@/lib/server/runs';
import { runStates } from '@/lib/trace/run-state';
import { toRunInfo } from './run-info';

export const pageSize = 30;
const short = z
  .string()
  .trim()
  .max(500, 'At most 500 characters.')
  .regex(/^\P{Cc}*$/u, 'No control characters.');

/** The query of the list of runs, in the address bar and in the API. Empty values filter nothing. */
export const runQuery = z.object({
  status: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.enum(runStates, `One of ${runStates.join(', ')}.`).optional(),
  ),
  project: short.optional(),
  agent: short.optional(),
  text: short.optional(),
  correlation: short.optional(),
  limit: z.coerce
    .number('Give a number.')
    .int('Give a whole number.')
    .min(1)
    .max(500, 'At most 500.')
    .default(pageSize),
  after: z.string().max(400, 'Give the "next" of the page before.').optional(),
});

/** A list shows this much of a message, and no answer. */
const messageLength = 240;

export async function findRuns(query: z.infer<typeof runQuery>): Promise<RunPage> {
  const { groups, next } = await listRuns({
    status: query.status || undefined,
    projectId: query.project ? brandAs<ProjectId>(query.project) : undefined,
    agent: query.agent || undefined,
    text: query.text || undefined,
    correlationId: query.correlation ? brandAs<CorrelationId>(query.correlation) : undefined,
    limit: query.limit,
    after: query.after || undefined,
  });
  return {
    groups: groups.map(({ correlationId, runCount, runs }) => ({
      correlationId,
      runCount,
      runs: runs.map((run) => toRunInfo({ ...run, message: cutText(run.message, messageLength) })),
    })),
    next,
  };
}
