import { isDeepStrictEqual } from 'node:util';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Artifacts, HookPort, ModelPort, Ports } from '@/lib/runtime/ports';
import { eventSchema } from '@/lib/runtime/record/event-schema';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { RunOutcome, RunRequest } from '@/lib/runtime/request/run-request';
import { execute } from '@/lib/runtime/run/execute';
import type { InstanceStart } from '@/lib/runtime/run/start-instance';
import type { EarlierConversation } from '@/lib/runtime/sessions/conversation';
import { type CollectedEvents, collectEvents } from './collect-events';
import { type FakeClock, fakeClock } from './fake-clock';

export interface TestRun {
  readonly outcome: RunOutcome;
  /** The log of the earlier run, followed by the events of this one. */
  readonly log: readonly RunEvent[];
  readonly sink: CollectedEvents;
  readonly clock: FakeClock;
}

export interface TestRunInput {
  readonly parsed: ParsedFolder;
  /** The files of the project, for attachments. */
  readonly folder?: Folder;
  readonly model: ModelPort;
  readonly tools?: Ports['tools'];
  readonly hooks?: HookPort;
  readonly sessions?: Ports['sessions'];
  readonly shell?: Ports['shell'];
  readonly artifacts?: Artifacts;
  readonly costOf?: Ports['costOf'];
  readonly findSpentBudget?: Ports['findSpentBudget'];
  readonly urls?: Ports['urls'];
  readonly remote?: Ports['remote'];
  /** Called with the sink before the run begins. */
  readonly onSink?: (sink: CollectedEvents) => void;
  readonly clock?: FakeClock;
  readonly request?: Partial<RunRequest>;
  readonly answers?: Ports['answers'];
  readonly people?: Ports['people'];
  readonly policy?: Ports['policy'];
  readonly longestRunMs?: number;
  readonly instance?: InstanceStart;
  readonly earlier?: EarlierConversation;
  readonly log?: readonly RunEvent[];
  readonly signal?: AbortSignal;
  /** Changes the ports before the run begins. */
  readonly replace?: (ports: Ports) => Ports;
}

/**
 * Runs a graph to its end with virtual time. Throws at an event that would change when it is stored and read. Correlation ids
 * are `c1`, `c2`, …; that of the run is `c0`.
 */
export async function runGraph(input: TestRunInput): Promise<TestRun> {
  const clock = input.clock ?? fakeClock();
  const log = input.log ?? [];
  const sink = collectEvents(clock, log.length);
  input.onSink?.(sink);
  let ids = log.length;
  const work = execute({
    folder: input.folder ?? new Map(),
    parsed: input.parsed,
    request: {
      runId: brandAs<RunId>('run'),
      correlationId: brandAs<CorrelationId>('c0'),
      agent: undefined,
      message: 'go',
      model: undefined,
      ...input.request,
    },
    ports: (input.replace ?? same)({
      model: input.model,
      tools: input.tools ?? {},
      sessions: input.sessions,
      shell: input.shell,
      ...(input.hooks && { hooks: input.hooks }),
      ...(input.artifacts && { artifacts: input.artifacts }),
      costOf: input.costOf,
      findSpentBudget: input.findSpentBudget,
      urls: input.urls,
      ...(input.remote && { remote: input.remote }),
      ...(input.answers && { answers: input.answers }),
      ...(input.people && { people: input.people }),
      ...(input.policy && { policy: input.policy }),
      events: sink,
      clock,
      newCorrelationId: () => brandAs<CorrelationId>(`c${++ids}`),
    }),
    log,
    signal: input.signal ?? new AbortController().signal,
    worker: 'test',
    longestRunMs: input.longestRunMs,
    instance: input.instance,
    earlier: input.earlier,
  });
  const outcome = await clock.runUntil(work);
  for (const event of sink.events) checkRecord(event);
  return { outcome, log: [...log, ...sink.events], sink, clock };
}

function same(ports: Ports): Ports {
  return ports;
}

function checkRecord(event: RunEvent): void {
  const text = JSON.stringify(event);
  const stored: unknown = JSON.parse(text);
  if (!isDeepStrictEqual(eventSchema.parse(stored), stored))
    throw new Error(`The schema of events does not have all of ${text}`);
}
