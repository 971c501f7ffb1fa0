import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { ArtifactSpace, RunError, RunStatus, SessionMode } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';
import type { LaneSpans } from './lane-spans';
import type { SpanStatus } from './span';
import type { SpanTable } from './span-table';

/** One instance: a row of the timeline. Times are microseconds since the trace's origin. */
export interface Lane {
  readonly index: number;
  readonly path: string;
  agentName: string;
  instanceName: string;
  correlationId: string;
  parentCorrelationId: string | undefined;
  callId: string | undefined;
  /** Index of the parent's lane. */
  parent: number | undefined;
  /** The parent's tool span that made it. */
  parentSpan: number | undefined;
  depth: number;
  /** Place among its siblings: the ordinal of the parent's call, which is the order the model asked in. */
  order: number;
  /** Lanes of its children in that order. */
  readonly children: number[];
  state: 'queued' | 'running' | 'ended';
  status: SpanStatus;
  queuedAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  model: string;
  error: RunError | undefined;
  /** Its own model calls. */
  usage: Usage;
  /** The part of it that other models than its own used, on behalf of servers; by model. */
  askedUsage?: Readonly<Record<string, Usage>>;
  /** Its latest instance or queued span. */
  span: number;
  /** Sub-rows its overlapping tools need. */
  slots: number;
  /** Sub-rows in use now. */
  readonly busySlots: Set<number>;
  /** Lines its nested hooks need; 0 while there was no hook. */
  hookSlots: number;
  readonly busyHooks: Set<number>;
  /** Steps that failed or timed out. */
  errors: number;
  /** 2, 3, … when the call it serves was tried before. */
  attempt: number;
  /** It did not run: its answer was taken from an equal call. */
  cached: boolean;
  /** The part that belongs to its parent's live stream; `undefined`: all. */
  forwarded: false | readonly string[] | undefined;
  session: LaneSession | undefined;
  /** How many of its children's rows are shown before the rest is folded into a count. */
  maxDisplay: number | undefined;
  readonly spans: LaneSpans;
}

/** The session that an instance continued. */
export interface LaneSession {
  readonly id: string;
  readonly mode: SessionMode;
  /** Saves before this instance; 0 for a new one. */
  readonly version: number;
  /** Saves with it; undefined while it has not been saved. */
  saved: number | undefined;
}

interface NoteStamp {
  readonly seq: number;
  /** Microseconds since the origin. */
  readonly at: number;
  readonly lane: number | undefined;
}

/** What changed beside the bars: state, artifacts, conversations. The content is fetched by `seq`. */
export type RunNote = NoteStamp &
  (
    | {
        readonly kind: 'state';
        readonly outcome: 'committed' | 'discarded' | 'refused';
        /** The child that wrote it. */
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
    /** What a workflow decided, with long texts cut. */
    | { readonly kind: 'decision'; readonly decision: WorkflowDecision }
  );

/** What one hook of one agent did in all its instances. Replaced, never changed in place, so that readers notice. */
export interface HookTotal {
  readonly calls: number;
  /** Of them, those that did not call the next one. */
  readonly stopped: number;
  readonly failed: number;
  /** All calls together, what they wrap included; microseconds. */
  readonly time: number;
}

/** `place`: its number in the chain that wraps a call, from 1; 0 for a phase hook. */
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
  readonly serverName: string | undefined;
}

/** A server that did not start when an instance of an agent needed it. */
export interface FailedStart {
  readonly server: string;
  readonly agentName: string;
  /** The sentence that says why. */
  readonly message: string;
  /** The latest setup that failed. */
  readonly span: number;
}

export interface RunFacts {
  runId: string;
  correlationId: string;
  entryAgent: string;
  scripted: boolean;
  /** Undefined until it has finished. */
  status: RunStatus | undefined;
  error: RunError | undefined;
  /** Of every model call that has ended. */
  usage: Usage;
  /** Models whose name in the request differs from the card's: the card's name → `provider/name`, as in lists of prices. */
  askedAs: Readonly<Record<string, string>>;
  /** Servers whose latest start failed, by agent. */
  failedStarts: readonly FailedStart[];
  /** When a worker took the run over, in microseconds since the origin. */
  readonly resumed: number[];
}

/** A folded run. Mutable: `foldEvent` changes it in place, so that each event of a live run is cheap. */
export interface Trace {
  /** Epoch milliseconds of the first event. */
  origin: number | undefined;
  lastSeq: number;
  /** Time of the last event, in microseconds since the origin. */
  lastAt: number;
  readonly spans: SpanTable;
  readonly strings: string[];
  readonly stringIds: Map<string, number>;
  readonly lanes: Lane[];
  readonly laneByPath: Map<string, number>;
  /** Lanes without a parent. */
  readonly roots: number[];
  /** Steps that may still get an end, by key. */
  readonly steps: Map<string, number>;
  readonly run: RunFacts;
  readonly logs: LogMark[];
  readonly notes: RunNote[];
  /** By `hookKey`; of the hooks that have ended. */
  readonly hookTotals: Map<string, HookTotal>;
  /** Changes whenever anything does. */
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

export function spanName(trace: Trace, span: number): string {
  return trace.strings[trace.spans.name.at(span)] ?? '';
}

export function spanDetail(trace: Trace, span: number): string {
  return trace.strings[trace.spans.detail.at(span)] ?? '';
}

/** End of a span for drawing and for durations: open ones reach to `now` (microseconds since the origin). */
export function spanEnd(trace: Trace, span: number, now: number): number {
  const end = trace.spans.end.at(span);
  return end === Number.POSITIVE_INFINITY ? Math.max(now, trace.spans.start.at(span)) : end;
}
