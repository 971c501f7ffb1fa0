/**
 * Reads the decisions of workflows from a trace. `moment` is in microseconds since the origin: what came later does not count.
 * Without one, everything so far counts.
 */
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { decisionNote } from './decision-at';
import type { Lane, Trace } from './trace';

export type DecisionOf<What extends WorkflowDecision['what']> = Extract<WorkflowDecision, { what: What }>;

/** A decision with its span. Its long texts are cut; they are fetched by `seq`. */
export interface Decided<Decision extends WorkflowDecision = WorkflowDecision> {
  readonly span: number;
  readonly seq: number;
  /** Microseconds since the origin. */
  readonly at: number;
  readonly decision: Decision;
}

/** Returns what an instance decided, in order. */
export function decisionsOf(
  trace: Pick<Trace, 'notes' | 'spans'>,
  lane: Pick<Lane, 'decisions'>,
  moment?: number,
): readonly Decided[] {
  return lane.decisions.flatMap((span) => {
    const seq = trace.spans.startSeq.at(span);
    const at = trace.spans.start.at(span);
    const decision = decisionNote(trace.notes, seq)?.decision;
    return decision === undefined || (moment !== undefined && at > moment) ? [] : [{ span, seq, at, decision }];
  });
}

/** Returns those decisions of an instance that are of one kind. */
export function decisionsOfKind<What extends WorkflowDecision['what']>(
  all: readonly Decided[],
  what: What,
): readonly Decided<DecisionOf<What>>[] {
  return all.flatMap(({ decision, ...place }) => (isOf(decision, what) ? [{ ...place, decision }] : []));
}

function isOf<What extends WorkflowDecision['what']>(
  decision: WorkflowDecision,
  what: What,
): decision is DecisionOf<What> {
  return decision.what === what;
}

/** Returns the children of an instance whose calls began after one event and before another, in call order. */
export function childrenBetween(trace: Pick<Trace, 'lanes' | 'spans'>, lane: Lane, after: number, before: number) {
  return lane.children.flatMap((index): Lane[] => {
    const child = trace.lanes[index];
    if (child === undefined) return [];
    const seq = trace.spans.startSeq.at(child.parentSpan ?? child.spans.ids.at(0));
    return seq > after && seq < before ? [child] : [];
  });
}

/** What an instance called before and after a decision, up to its neighbours among the decisions. */
export interface Around {
  readonly before: readonly Lane[];
  readonly after: readonly Lane[];
}

/** Returns the calls next to a decision. `all` are the decisions of its instance. */
export function callsAround(trace: Trace, lane: Lane, all: readonly Decided[], seq: number): Around {
  const earlier = all.findLast((one) => one.seq < seq)?.seq ?? 0;
  const later = all.find((one) => one.seq > seq)?.seq ?? Number.POSITIVE_INFINITY;
  return { before: childrenBetween(trace, lane, earlier, seq), after: childrenBetween(trace, lane, seq, later) };
}
