import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { InstancePath, RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readRequestEvents } from '@/lib/store/events';
import { oneAtATime } from './one-at-a-time';
import type { AgentSurface } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { readRunFolder } from './runs';
import { withStore } from './services';

/** What the model of an instance saw. */
export interface RecordedSurface {
  readonly agentName: string;
  /** The requests as they were recorded: which tools each had, by name and in order. */
  readonly requests: readonly {
    readonly step: string;
    /** Epoch milliseconds. */
    readonly at: number;
    readonly model: string;
    readonly messageCount: number;
    readonly tools: readonly string[];
  }[];
  /**
   * Schemas and instruction are not recorded. They are made again from the files of the run, its recorded texts at addresses
   * and the day of the first request. Absent for an agent that has no card of its own.
   */
  readonly again?: AgentSurface;
}

/** Reads what the model of an instance saw. Throws AppError `not_found`, and `too_large` if the files cannot be read. */
export async function readRecordedSurface(actor: Actor, runId: RunId, path: InstancePath): Promise<RecordedSurface> {
  const events = await withStore(actor, 'run.texts', { run: runId }, (store) =>
    oneAtATime(() => readRequestEvents(store, runId, path)),
  );
  const queued = events.find((event) => event.kind === 'instance.queued');
  if (queued === undefined) throw new AppError('not_found', `The run has no instance '${path}'.`);
  const { agentName } = queued;
  const asked = events.filter((event) => event.kind === 'model.started');
  const read = await webReader().surface({
    folder: await readRunFolder(actor, runId),
    agent: agentName,
    now: asked[0]?.at ?? queued.at,
    fetched: new Map(events.flatMap(fetchedText)),
  });
  if (!read.ok) throw new AppError('too_large', read.error.message);
  const requests = asked.map(({ step, at, model, messageCount, tools }) => ({ step, at, model, messageCount, tools }));
  return { agentName, requests, ...(read.value !== null && { again: read.value }) };
}

function fetchedText(event: RunEvent): (readonly [string, string])[] {
  return event.kind === 'url.fetched' ? [[event.url, event.text]] : [];
}
