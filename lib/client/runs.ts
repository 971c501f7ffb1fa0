import { isNumber, isText, listOf, optional, shapeOf } from '@/lib/base/check';
import type { ChartColumn, RunChart } from '@/lib/trace/run-chart';
import type { NamedField } from '@/lib/trace/run-filter';
import { runStates } from '@/lib/trace/run-state';
import type { RunSums } from '@/lib/trace/run-sums';
import { answerOf, get, getChecked, RequestError, unexpectedForm } from './ask';
import { runAddress } from './run-address';
import type { RunGroupInfo, RunInfo, RunPage } from './run-info';

/** Only the fields that lists need are checked. The others are trusted, because the server wrote them. */
const isRun = shapeOf<RunInfo>({
  id: isText,
  projectId: isText,
  status: (value) => runStates.some((state) => state === value),
  message: isText,
  createdAt: isNumber,
  usage: shapeOf({ inputTokens: isNumber, outputTokens: isNumber }),
});
const areSums = shapeOf<RunSums>({
  ...{ runs: isNumber, ended: isNumber, failed: isNumber, errors: isNumber },
  ...{ durationMs: isNumber, tokens: isNumber, costUsd: isNumber, unpriced: isNumber },
});
const isGroup = shapeOf<RunGroupInfo>({
  correlationId: isText,
  runCount: isNumber,
  sums: optional(areSums),
  runs: listOf(isRun),
});
const isPage = shapeOf<RunPage>({ groups: listOf(isGroup), next: (value) => value === null || isText(value) });

/** The last answer of each address with its `ETag`, so that the server need not send an unchanged answer again. */
const answers = new Map<string, { readonly tag: string; readonly page: RunPage }>();
const mostAnswers = 6;

/**
 * Returns a page of the list of runs. `filter` is the query text as the address bar has it. Rejects with a `RequestError`.
 */
export async function listRuns(filter: string, after: string | undefined): Promise<RunPage> {
  const query = new URLSearchParams(filter);
  if (after !== undefined) query.set('after', after);
  const url = `/api/v1/runs?${query}`;
  const known = answers.get(url);
  const response = await get(url, { headers: known === undefined ? {} : { 'If-None-Match': known.tag } });
  if (response.status === 304) {
    if (known !== undefined) return known.page;
    throw new RequestError('The server answered 304 without being asked for changes. Reload the page.', 304);
  }
  const found = answerOf(response.status, await response.text());
  if (!isPage(found)) throw unexpectedForm(response.status);
  keepAnswer(url, response.headers.get('etag'), found);
  return found;
}

function keepAnswer(url: string, tag: string | null, found: RunPage): void {
  answers.delete(url);
  if (tag !== null) answers.set(url, { tag, page: found });
  for (const oldest of answers.keys()) {
    if (answers.size <= mostAnswers) return;
    answers.delete(oldest);
  }
}

const areNames = shapeOf<{ readonly names: readonly string[] }>({
  names: (value) => Array.isArray(value) && value.every(isText),
});

/** Returns names of agents, tools, hooks, sources or people that contain the text. Rejects with a `RequestError`. */
export async function completeRunNames(field: NamedField, text: string): Promise<readonly string[]> {
  return (await getChecked(`/api/v1/runs/names?${new URLSearchParams({ field, text })}`, areNames)).names;
}

const isColumn = shapeOf<ChartColumn>({
  ...{ from: isNumber, to: isNumber, runs: isNumber, failed: isNumber, active: isNumber },
  ...{ p50: optional(isNumber), p95: optional(isNumber) },
});
const isChart = shapeOf<RunChart>({ columns: listOf(isColumn), isCut: (value) => typeof value === 'boolean' });

/** Returns the chart of the newest runs that match. Rejects with a `RequestError`. */
export async function readRunChart(filter: string): Promise<RunChart> {
  return await getChecked(`/api/v1/runs/chart?${filter}`, isChart);
}

const isPlace = shapeOf<{ readonly isInLine?: boolean }>({
  isInLine: optional((value) => typeof value === 'boolean'),
});

/** Returns true if a run waits until the turn before it in its conversation has ended. Rejects with a `RequestError`. */
export async function isRunInLine(id: string, signal: AbortSignal): Promise<boolean> {
  return (await getChecked(runAddress(id), isPlace, signal)).isInLine === true;
}
