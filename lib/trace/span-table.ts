import { Bytes, Floats, Ints } from './growable';
import { codesOf, type SpanKind, type SpanStatus, spanKinds, spanStatuses, statusCodes } from './span';

/** The parent of a span that has none. */
export const NO_SPAN = 0xffffffff;

/** Where a tool comes from, as stored in the `source` column. It is 0 for spans that are no tool. */
export const toolSources = ['none', 'mcp', 'function', 'agent', 'runtime'] as const;
export type SpanSource = (typeof toolSources)[number];
/** The number that stands for each source in the columns. */
export const sourceCodes = codesOf(toolSources);

/** Marks that a bar shows beside its status. */
export const spanFlags = {
  /** The answer was taken from an equal call. */
  cached: 1,
  /** The call was refused before anything ran: by a limit, a policy, or because the arguments are not valid. */
  refused: 2,
  /** A hook that did not call the next one. */
  stopped: 4,
  /** A hook that changed arguments, result or messages. */
  changed: 8,
  /** The tool was not called: a person has pinned the answer. */
  pinned: 16,
  /** The tool was not called: the answer comes from the record of another run. */
  recorded: 32,
  /** A person refused the call. */
  denied: 64,
  /** A person changed the arguments of the call. */
  edited: 128,
} as const;
export type SpanFlag = keyof typeof spanFlags;

/** When a hook first called the next one (after its start), and how long it waited for it in all, in microseconds. */
export interface Below {
  readonly at: number;
  readonly for: number;
}

/**
 * Spans as columns: row i of each column is span i, in the order in which the spans started. Times are whole microseconds
 * since the trace's origin. An open span's end is `Infinity`, so that comparisons with a window need no special case.
 */
export class SpanTable {
  readonly kind = new Bytes();
  readonly status = new Bytes();
  readonly source = new Bytes();
  readonly start = new Floats();
  readonly end = new Floats();
  readonly lane = new Ints();
  readonly parent = new Ints();
  /** An index into the trace's strings. */
  readonly name = new Ints();
  /** The server of a tool, the phase of a hook, the kind of a setup, a decision or a question, as an index into the trace's strings. */
  readonly detail = new Ints();
  readonly inputTokens = new Ints();
  readonly outputTokens = new Ints();
  /** Of a model call: the input tokens that the provider had cached, and the output tokens of reasoning. */
  readonly cachedTokens = new Ints();
  readonly reasoningTokens = new Ints();
  /** Of a model call: microseconds from its start to the first piece of its answer, once that is known. 0 stands for none. */
  readonly firstToken = new Ints();
  /** The event that opened the span. Its input is fetched by this number. */
  readonly startSeq = new Ints();
  /** The event that ended the span. Its output is fetched by this number. It is 0 while the span is open. */
  readonly endSeq = new Ints();
  /** For tools and setups that overlap, the sub-row inside the lane. For a hook its line; the outermost hook has 0. */
  readonly slot = new Ints();
  readonly attempt = new Ints();
  /** Bits of `spanFlags`. */
  readonly flags = new Bytes();
  /** For hooks that called the next one, by span, as far as their events say it. */
  readonly below = new Map<number, Below>();

  get length(): number {
    return this.kind.length;
  }

  kindOf(span: number): SpanKind {
    return spanKinds[this.kind.at(span)] ?? 'instance';
  }

  statusOf(span: number): SpanStatus {
    return spanStatuses[this.status.at(span)] ?? 'open';
  }

  sourceOf(span: number): SpanSource {
    return toolSources[this.source.at(span)] ?? 'none';
  }

  has(span: number, flag: SpanFlag): boolean {
    return (this.flags.at(span) & spanFlags[flag]) !== 0;
  }

  mark(span: number, flag: SpanFlag): void {
    this.flags.data[span] = this.flags.at(span) | spanFlags[flag];
  }

  /** Changes the status of an ended span after a later event. */
  setStatus(span: number, status: SpanStatus): void {
    this.status.data[span] = statusCodes[status];
  }

  /**
   * Ends a span. An end before its start, after a clock was set back, becomes its start. `seq` is 0 when no event of the
   * span itself ended it.
   */
  close(span: number, end: number, status: SpanStatus, seq: number): void {
    this.end.data[span] = Math.max(end, this.start.at(span));
    this.status.data[span] = statusCodes[status];
    this.endSeq.data[span] = seq;
  }
}
