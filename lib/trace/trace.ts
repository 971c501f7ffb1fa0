import type { LeftOut } from '@/lib/base/left-out';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { ArtifactSpace, RunError, RunStatus, SessionMode } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';
import type { FreeSlots } from './free-slots';
import type { LaneSpans } from './lane-spans';
import type { SpanStatus } from './span';
import type { SpanTable } from './span-table';

/** One instance, which is a row of the timeline. Times are microseconds since the trace's origin. */
export interface Lane {
  readonly index: number;
  readonly path: string;
  agentName: string;
  instanceName: string;
  correlationId: string;
  parentCorrelationId: string | undefined;
  callId: string | undefined;
  /** The index of the parent's lane. */
  parent: number | undefined;
  /** The parent's tool span that made the instance. */
  parentSpan: number | undefined;
  depth: number;
  /** The place among its siblings. It is the number of the parent's call, so it follows call order. */
  order: number;
  /** The lanes of its children in that order. */
  readonly children: number[];
  state: 'queued' | 'running' | 'ended';
  status: SpanStatus;
  queuedAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  model: string;
  error: RunError | undefined;
  /** The usage of the instance's own model calls. */
  usage: Usage;
  /** The part of `usage` that calls of other models than its own used, by model. */
  askedUsage?: Readonly<Record<string, Usage>>;
  /** The latest instance span or queued span of the lane. */
  span: number;
  /** The number of sub-rows that its overlapping tools need. */
  slots: number;
  /** The sub-rows in use now. */
  readonly busySlots: FreeSlots;
  /** The number of lines that its nested hooks need; 0 without hooks. */
  hookSlots: number;
  readonly busyHooks: FreeSlots;
  /** The number of steps that failed or timed out. */
  errors: number;
  /** The number of the attempt, if the call that it serves was tried before: 2, 3, …. */
  attempt: number;
  /** True if the instance did not run, because its answer was taken from an equal call. */
  cached: boolean;
  /** The events that belong to the parent's live stream; `undefined` means all. */
  forwarded: false | readonly string[] | undefined;
  session: LaneSession | undefined;
  /** The number of its children's rows that are shown before the rest is folded into a count. */
  maxDisplay: number | undefined;
  readonly spans: LaneSpans;
  /** The spans of what it decided, in order. They are among `spans` too. */
  readonly decisions: number[];
}

/** The session that an instance continued. */
export interface LaneSession {
  readonly id: string;
  readonly mode: SessionMode;
  /** The number of saves before this instance; 0 for a new session. */
  readonly version: number;
  /** The number of saves including this one; `undefined` while it has not been saved. */
  saved: number | undefined;
  /** When it was opened and saved, in microseconds since the origin. */
  readonly openedAt: number;
  savedAt: number | undefined;
}

interface NoteStamp {
  readonly seq: number;
  /** Microseconds since the origin. */
  readonly at: number;
  readonly lane: number | undefined;
}

/** A change other than a bar: of state, artifacts or conversations. The content is fetched by `seq`. */
export type RunNote = NoteStamp &
  (
    | {
        readonly kind: 'state';
        readonly outcome: 'committed' | 'discarded' | 'refused';
        /** The lane of the child that wrote it. */
        readonly from: number | undefined;
      }
    | {
        readonly kind: 'artifact';
        readonly name: string;
        readonly space: ArtifactSpace;
        readonly version: number;
        readonly mimeType: string;
        readonly bytes: number;
      }
    | {
        readonly kind: 'history';
        readonly target: 'child' | 'orchestrator';
        readonly agentName: string;
      }
    | { readonly kind: 'agent'; readonly name: string }
    | { readonly kind: 'groups'; readonly groups: readonly string[] }
    /** What a workflow decided, with long texts cut. A span of kind `decision` has the same `seq`. */
    | { readonly kind: 'decision'; readonly decision: WorkflowDecision }
  );

/** What one hook of one agent did in all its instances. A change makes a new object, so that readers notice it. */
export interface HookTotal {
  readonly calls: number;
  /** The number of those calls in which the hook did not call the next one. */
  readonly stopped: number;
  readonly failed: number;
  /** The time of all calls together, including the hooks and the tool that they wrap, in microseconds. */
  readonly time: number;
  /**
   * The part of it in which the hook itself worked, in microseconds. Events of older versions do not say how long a hook waited,
   * and count whole.
   */
  readonly own: number;
}

/**
 * Returns the key of a hook's totals. `place` is its number in the chain that wraps a call, from 1; it is 0 for a phase
 * hook.
 */
export function hookKey(agentName: string, phase: string, place: number, hook: string): string {
  return [agentName, phase, place, hook].join('\n');
}

export interface LogMark {
  readonly seq: number;
  /** Microseconds since the origin. */
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly lane: number | undefined;
  /** The step that it is about. */
  readonly span: number | undefined;
  /** Of a request that is made again, microseconds until then. */
  readonly wait: number | undefined;
  readonly serverName: string | undefined;
}

/** A server that did not start when an instance of an agent needed it. */
export interface FailedStart {
  readonly server: string;
  readonly agentName: string;
  /** A sentence that says why. */
  readonly message: string;
  /** The span of the latest setup that failed. */
  readonly span: number;
}

export interface RunFacts {
  runId: string;
  correlationId: string;
  entryAgent: string;
  scripted: boolean;
  /** What the run does without although its files have it. */
  leftOut?: readonly LeftOut[];
  /** `undefined` until the run has finished. */
  status: RunStatus | undefined;
  error: RunError | undefined;
  /** The usage of every model call that has ended. */
  usage: Usage;
  /**
   * Models whose name in the request differs from the card's. It maps the card's name to `provider/name`, as in lists of
   * prices.
   */
  askedAs: Readonly<Record<string, string>>;
  /** Servers whose latest start failed, by agent. */
  failedStarts: readonly FailedStart[];
  /** Each change of `failedStarts`, with its moment in microseconds since the origin. */
  readonly startChanges: { readonly at: number; readonly failed: readonly FailedStart[] }[];
  /** The moments at which a worker resumed the run, in microseconds since the origin. */
  readonly resumed: number[];
  /** When the run waited for people only and no worker had it, in microseconds since the origin. The last one may go on. */
  readonly suspended: { readonly at: number; readonly until?: number | undefined }[];
}

/** A folded run. `foldEvent` changes it in place, so that each event of a live run is cheap. */
export interface Trace {
  /** The epoch milliseconds of the first event. */
  origin: number | undefined;
  lastSeq: number;
  /** The time of the last event, in microseconds since the origin. */
  lastAt: number;
  readonly spans: SpanTable;
  readonly strings: string[];
  readonly stringIds: Map<string, number>;
  readonly lanes: Lane[];
  readonly laneByPath: Map<string, number>;
  /** The lanes without a parent. */
  readonly roots: number[];
  /** Steps that may still get an end, by step key, and open questions to people by their id. */
  readonly steps: Map<string, number>;
  /** The spans of all questions to people, in order. */
  readonly questions: number[];
  readonly run: RunFacts;
  readonly logs: LogMark[];
  readonly notes: RunNote[];
  /** Totals of hooks that have ended, by `hookKey`. */
  readonly hookTotals: Map<string, HookTotal>;
  /** Changes whenever anything in the trace does. */
  version: number;
  /** Changes whenever a lane appears or needs another height. */
  laneVersion: number;
}

export function internString(trace: Trace, text: string): number {
  const known = trace.stringIds.get(text);
  if (known !== undefined) return known;
  trace.strings.push(text);
  trace.stringIds.set(text, trace.strings.length - 1);
  return trace.strings.length - 1;
}

export function spanName(trace: Pick<Trace, 'spans' | 'strings'>, span: number): string {
  return trace.strings[trace.spans.name.at(span)] ?? '';
}

/** Returns the name of a span, with the number of its attempt if it is a repetition. */
export function spanTitle(trace: Trace, span: number): string {
  const attempt = trace.spans.attempt.at(span);
  return attempt > 1 ? `${spanName(trace, span)} (attempt ${attempt})` : spanName(trace, span);
}

export function spanDetail(trace: Pick<Trace, 'spans' | 'strings'>, span: number): string {
  return trace.strings[trace.spans.detail.at(span)] ?? '';
}

/**
 * Returns the end of a span for drawing and for durations. An open span reaches to `now` (microseconds since the origin).
 */
export function spanEnd(trace: Trace, span: number, now: number): number {
  const end = trace.spans.end.at(span);
  return end === Number.POSITIVE_INFINITY ? Math.max(now, trace.spans.start.at(span)) : end;
}
