import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readRunEvents, watchRun } from '@/lib/server/runs';
import type { RunDetail } from '@/lib/store/runs';
import { isActive } from '@/lib/trace/run-state';

/** A sentence about a run. */
export type RunNews = string;

const eventsAtOnce = 200;

/** Tells what happens in a run until it ends, waits for people, or the signal aborts. */
export async function followRun(
  actor: Actor,
  runId: RunId,
  signal: AbortSignal,
  tell: (news: RunNews) => Promise<void>,
): Promise<void> {
  let after = 0;
  for await (const state of await watchRun(actor, runId, signal)) {
    for (;;) {
      const events = await eventsAfter(actor, runId, after);
      for (const event of events) {
        after = event.seq;
        const news = newsOf(event);
        if (news !== undefined) await tell(news);
      }
      if (events.length < eventsAtOnce) break;
    }
    if (!isActive(state) || state === 'suspended') return;
  }
}

/** Whoever may not read texts of runs hears nothing before the end. */
async function eventsAfter(actor: Actor, runId: RunId, after: number): Promise<readonly RunEvent[]> {
  try {
    return await readRunEvents(actor, runId, { after, limit: eventsAtOnce });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_allowed' || error.code === 'not_found')) return [];
    throw error;
  }
}

function newsOf(event: RunEvent): RunNews | undefined {
  switch (event.kind) {
    case 'instance.started':
      return `${event.path} begins.`;
    case 'instance.ended':
      return `${event.path} has ended.`;
    default:
      return undefined;
  }
}

/** The answer of a run for a program, or why there is none yet. */
export function resultOf(run: RunDetail, base: string): CallToolResult {
  const url = `${base}/r/${run.id}`;
  const { answer, error } = run;
  const common = { run_id: run.id, correlation_id: run.correlationId, status: run.status, url };
  switch (run.status) {
    case 'completed':
      return told(answer ?? '', { ...common, answer: answer ?? '' });
    case 'failed':
    case 'cancelled': {
      const why = error?.message ?? 'The run was stopped.';
      return { ...told(why, { ...common, error: why }), isError: true };
    }
    case 'suspended':
      return told(
        `The run waits for a person, who answers at ${base}/inbox. Ask get_run_result with run_id ${run.id} then.`,
        common,
      );
    case 'queued':
    case 'running':
      return told(`The run goes on. Ask get_run_result with run_id ${run.id}.`, common);
  }
}

function told(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent };
}
