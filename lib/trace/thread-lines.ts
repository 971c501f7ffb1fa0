/**
 * A run as lines of a conversation: what one instance did between the message and its answer, in the order in which it began.
 *
 *   lead  model ─ agent__kid ─ time__now ─ model          said "I ask kid" · kid[1] · time__now
 *            kid[1]  model ─ files__read ─ model          the lines of kid[1], when its line is opened
 *
 * Model calls without tools after them are left out: the last one gives the answer. Times are microseconds since the origin.
 */

import { spanEnd, type Trace } from './trace';

export type ThreadLine =
  /** A call that starts instances. `lane` is its instance, that of the last attempt; a call that was refused has none. */
  | { readonly kind: 'delegation'; readonly span: number; readonly lane: number | undefined; readonly attempts: number }
  /** Another tool call. */
  | { readonly kind: 'tool'; readonly span: number }
  /** What a model said before it called tools. The event that ends the span has the text. */
  | { readonly kind: 'said'; readonly span: number }
  /** A question to a person that has ended. Open ones are in `openQuestions`. */
  | { readonly kind: 'asked'; readonly span: number };

/** Returns the lines of one instance. */
export function threadLines(trace: Trace, lane: number): readonly ThreadLine[] {
  const { spans, lanes } = trace;
  const here = lanes[lane];
  if (here === undefined) return [];
  const byCall = childrenByCall(trace, here.children);
  const lines: ThreadLine[] = [];
  const own = Array.from({ length: here.spans.length }, (_, i) => here.spans.ids.at(i));
  const restarted = startedAgain(trace, own);
  for (const [before, after] of restarted) {
    const children = [...(byCall.get(before) ?? []), ...(byCall.get(after) ?? [])];
    byCall.delete(before);
    if (children.length > 0) byCall.set(after, children);
  }
  const unseen = new Set(byCall.keys());
  for (const span of own) {
    if (restarted.has(span)) continue;
    const line = lineOf(trace, span, byCall.get(span));
    if (line !== undefined) lines.push(line);
    unseen.delete(span);
  }
  // Children whose call has not arrived, or is one of another instance.
  for (const call of unseen) {
    const children = byCall.get(call) ?? [];
    const last = lanes[children.at(-1) ?? -1];
    if (last !== undefined) {
      lines.push({ kind: 'delegation', span: last.span, lane: last.index, attempts: children.length });
    }
  }
  lines.sort((a, b) => spans.start.at(a.span) - spans.start.at(b.span) || a.span - b.span);
  // Words with nothing after them are, or become, the answer.
  while (lines.at(-1)?.kind === 'said') lines.pop();
  return lines;
}

/**
 * Returns the calls that a crash interrupted, each with the call that was started in its place. Calls of one name are started again
 * in their order.
 */
function startedAgain({ spans }: Trace, own: readonly number[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const [at, span] of own.entries()) {
    if (spans.kindOf(span) !== 'tool' || spans.statusOf(span) !== 'interrupted') continue;
    const next = own.find(
      (later, place) =>
        place > at &&
        !taken.has(later) &&
        spans.kindOf(later) === 'tool' &&
        spans.name.at(later) === spans.name.at(span) &&
        spans.attempt.at(later) === spans.attempt.at(span) + 1,
    );
    if (next === undefined) continue;
    taken.add(next);
    pairs.set(span, next);
  }
  return pairs;
}

function lineOf(trace: Trace, span: number, children: readonly number[] | undefined): ThreadLine | undefined {
  const { spans } = trace;
  switch (spans.kindOf(span)) {
    case 'model':
      return spans.statusOf(span) === 'ok' ? { kind: 'said', span } : undefined;
    case 'waiting':
      return spans.statusOf(span) === 'open' ? undefined : { kind: 'asked', span };
    case 'tool':
      if (children === undefined && spans.sourceOf(span) !== 'agent') return { kind: 'tool', span };
      return { kind: 'delegation', span, lane: children?.at(-1), attempts: children?.length ?? 0 };
    default:
      return undefined;
  }
}

/** Instances by the call that made them, in order. Those without a call stand alone, under a negative number. */
function childrenByCall({ lanes }: Trace, children: readonly number[]): Map<number, readonly number[]> {
  const byCall = new Map<number, readonly number[]>();
  for (const child of children) {
    const call = lanes[child]?.parentSpan ?? -1 - child;
    const known = byCall.get(call);
    byCall.set(call, known === undefined ? [child] : [...known, child]);
  }
  return byCall;
}

/** Where a line is in its turn, from 0 to 1, with the stretches in which it waited for people. */
export interface LineBar {
  readonly from: number;
  readonly to: number;
  readonly waits: readonly { readonly from: number; readonly to: number }[];
}

/** Returns the span whose time a line shows: that of the instance, if there is one. */
export function timedSpan({ lanes }: Trace, line: ThreadLine): number {
  return (line.kind === 'delegation' ? lanes[line.lane ?? -1]?.span : undefined) ?? line.span;
}

/** Returns the bar of a delegation or a tool call. `now` is the end of the turn so far. */
export function lineBar(trace: Trace, line: ThreadLine, now: number): LineBar {
  const { spans, questions } = trace;
  const whole = Math.max(now, 1);
  const share = (span: number) => ({
    from: Math.min(1, spans.start.at(span) / whole),
    to: Math.min(1, spanEnd(trace, span, now) / whole),
  });
  const waits = questions.filter((span) => belongsTo(trace, span, line)).map(share);
  return { ...share(timedSpan(trace, line)), waits };
}

/** Returns how long a line took so far. */
export function lineTime(trace: Trace, line: ThreadLine, now: number): number {
  const span = timedSpan(trace, line);
  return spanEnd(trace, span, now) - trace.spans.start.at(span);
}

/** Returns how many questions below a line wait for an answer. */
export function openBelow(trace: Trace, line: ThreadLine): number {
  const { questions, spans } = trace;
  return questions.filter((span) => spans.statusOf(span) === 'open' && belongsTo(trace, span, line)).length;
}

/** True for a question of a call, or of an instance below it. */
function belongsTo({ spans, lanes }: Trace, question: number, line: ThreadLine): boolean {
  if (spans.parent.at(question) === line.span) return true;
  const wanted = line.kind === 'delegation' ? line.lane : undefined;
  if (wanted === undefined) return false;
  const seen = new Set<number>();
  for (
    let at: number | undefined = spans.lane.at(question);
    at !== undefined && !seen.has(at);
    at = lanes[at]?.parent
  ) {
    if (at === wanted) return true;
    seen.add(at);
  }
  return false;
}
