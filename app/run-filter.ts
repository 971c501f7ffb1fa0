import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { cutText } from '@/lib/base/well-formed';
import type { RunPage } from '@/lib/client/run-info';
import { listSortedRuns } from '@/lib/server/run-lists';
import { listRuns } from '@/lib/server/runs';
import { clausesOf, filterParts, type RunCondition, readConditions } from '@/lib/trace/run-filter';
import { type RunSort, readSort, runSorts } from '@/lib/trace/run-sort';
import type { QueryReader } from './api/query';
import { checkInput } from './api/read-body';
import { toRunInfo } from './run-info';

export const pageSize = 30;

function toSort(text: string | undefined, context: z.RefinementCtx): RunSort | undefined {
  if (text === undefined || text === '') return undefined;
  const sort = readSort(text);
  if (sort === undefined)
    context.addIssue(`One of ${Object.keys(runSorts).join(', ')}, with "-" before it for the highest first.`);
  return sort;
}

const page = z.object({
  limit: z.coerce
    .number('Give a number.')
    .int('Give a whole number.')
    .min(1)
    .max(500, 'At most 500.')
    .default(pageSize),
  after: z.string().max(400, 'Give the "next" of the page before.').optional(),
  sort: z.string().max(40).optional().transform(toSort),
});

/** A filter without further parts. */
export const runFilter = filterWith(z.object({}));
/** A filter, and which page of its runs. */
export const runsQuery = filterWith(page);

type WithWhere<T> = T & { readonly where: readonly RunCondition[] };

/** Reads a filter, and what other parts the query of a route has. */
export function filterWith<T extends z.ZodObject>(others: T): QueryReader<WithWhere<z.infer<T>>> {
  const names = Object.keys(others.shape);
  return {
    parts: [...filterParts, ...names],
    read: (params) => {
      const given = [...params].filter(([name]) => names.includes(name));
      return { ...checkInput(Object.fromEntries(given), others), where: readWhere(params) };
    },
  };
}

export interface RunQuery extends z.infer<typeof page> {
  readonly where: readonly RunCondition[];
}

/** Reads the query of the list of runs, in the address bar, which may have other parts. Empty values filter nothing. Throws AppError `bad_request`. */
export function readRunQuery(params: Iterable<readonly [string, string]>): RunQuery {
  const all = [...params];
  return { ...checkInput(Object.fromEntries(all), page), where: readWhere(all) };
}

/** Reads the conditions of a query. Throws AppError `bad_request`. */
export function readWhere(params: Iterable<readonly [string, string]>): readonly RunCondition[] {
  const clauses = clausesOf(params);
  const read = clauses.ok ? readConditions(clauses.value, Date.now()) : clauses;
  if (read.ok) return read.value;
  throw new AppError('bad_request', read.error);
}

/** A list shows this much of a message, and no answer. */
const messageLength = 240;

export async function findRuns(actor: Actor, { where, limit, after, sort }: RunQuery): Promise<RunPage> {
  const query = { where, limit, after: after || undefined };
  const { groups, next } = await (sort === undefined
    ? listRuns(actor, query)
    : listSortedRuns(actor, { ...query, sort }));
  return {
    groups: groups.map(({ correlationId, runCount, runs, ...rest }) => ({
      ...{ correlationId, runCount, ...rest },
      runs: runs.map((run) => toRunInfo({ ...run, message: cutText(run.message, messageLength) })),
    })),
    next,
  };
}
