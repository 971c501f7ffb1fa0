import * as z from 'zod/mini';
import type { RunChart } from '@/lib/trace/run-chart';
import type { NamedField } from '@/lib/trace/run-filter';
import { runStates } from '@/lib/trace/run-state';
import { get, RequestError } from './ask';
import { getJson, readAnswer } from './ask-shape';
import { runAddress } from './run-address';
import type { RunInfo, RunPage } from './run-info';

/** Only the fields that lists need are checked. The others are trusted, because the server wrote them. */
const run = z.custom<RunInfo>((value) => outline.safeParse(value).success);
const outline = z.looseObject({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(runStates),
  message: z.string(),
  createdAt: z.number(),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }),
});
const sums = z.object({
  ...{ runs: z.number(), ended: z.number(), failed: z.number(), errors: z.number() },
  ...{ durationMs: z.number(), tokens: z.number(), costUsd: z.number(), unpriced: z.number() },
});
const page: z.ZodMiniType<RunPage> = z.object({
  groups: z.array(
    z.object({ correlationId: z.string(), runCount: z.number(), sums: z.optional(sums), runs: z.array(run) }),
  ),
  next: z.nullable(z.string()),
});

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
  const found = readAnswer(response.status, await response.text(), page);
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

const found = z.object({ names: z.array(z.string()) });

/** Returns names of agents, tools, hooks, sources or people that contain the text. Rejects with a `RequestError`. */
export async function completeRunNames(field: NamedField, text: string): Promise<readonly string[]> {
  return (await getJson(`/api/v1/runs/names?${new URLSearchParams({ field, text })}`, found)).names;
}

const chart: z.ZodMiniType<RunChart> = z.object({
  columns: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      runs: z.number(),
      failed: z.number(),
      active: z.number(),
      p50: z.optional(z.number()),
      p95: z.optional(z.number()),
    }),
  ),
  isCut: z.boolean(),
});

/** Returns the chart of the newest runs that match. Rejects with a `RequestError`. */
export async function readRunChart(filter: string): Promise<RunChart> {
  return await getJson(`/api/v1/runs/chart?${filter}`, chart);
}

const inLine = z.object({ isInLine: z.optional(z.boolean()) });

/** Returns true if a run waits until the turn before it in its conversation has ended. Rejects with a `RequestError`. */
export async function isRunInLine(id: string, signal: AbortSignal): Promise<boolean> {
  return (await getJson(runAddress(id), inLine, signal)).isInLine === true;
}
