/**
 * Compares two runs, `a` and `b`: which instance and which step of one is which of the other, and where they differ.
 *
 *   a                              b
 *   lead                           lead
 *     model ───────────────────────  model          same
 *     agent__kid  x=1 ─────────────  agent__kid  x=1
 *       kid[1] ────────────────────    kid[1]       instances follow the calls that made them
 *     agent__kid  x=2 ─────────────  agent__kid  x=3   asked differs: the first difference
 *                                    agent__kid  x=9   only in b
 *
 * Steps are the model calls, tool calls, hooks and decisions of an instance. They are paired by name and arguments, then by name,
 * then by kind, always in order. A start of a server is no step, because a server that runs already is not started again.
 */
import { spanKinds } from '@/lib/trace/span';
import { spanName, type Trace } from '@/lib/trace/trace';
import { pairUp } from './pair-up';
import { NO_DIGEST } from './step-digest';

export interface ComparedRun {
  readonly trace: Trace;
  /** The digest of the event with seq i + 1 is at place i. Without digests only names and statuses are compared. */
  readonly digests: Uint32Array | undefined;
}

export const differenceKinds = ['only-a', 'only-b', 'name', 'asked', 'answered'] as const;

/**
 * - `only-a`, `only-b`: the other run has no such step.
 * - `name`: another tool, model or hook in the same place.
 * - `asked`: other arguments, input or request.
 * - `answered`: another answer, result or status.
 */
export type DifferenceKind = (typeof differenceKinds)[number];

export interface Difference {
  readonly what: DifferenceKind;
  /** The spans; `undefined` in the run that has none. */
  readonly a: number | undefined;
  readonly b: number | undefined;
  /** The number of the event that shows the difference: the lower of both runs. */
  readonly seq: number;
}

export interface RunComparison {
  /** The partner of each lane and of each span in the other run; -1 for none. */
  readonly laneInB: Int32Array;
  readonly laneInA: Int32Array;
  readonly spanInB: Int32Array;
  readonly spanInA: Int32Array;
  /** All differences in the order in which they happened. Nothing below an instance that one run lacks is listed. */
  readonly differences: readonly Difference[];
}

/** The comparison before there is one. */
export const noComparison: RunComparison = {
  laneInB: new Int32Array(),
  laneInA: new Int32Array(),
  spanInB: new Int32Array(),
  spanInA: new Int32Array(),
  differences: [],
};

export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  const work = comparingRuns(a, b);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/**
 * Compares as `compareRuns` does, piece by piece, so that a page can answer its user in between. Yields the share of the
 * instances of `a` that are done. A run may grow in between; then the result is true of a part of it, and it is to be compared again.
 */
export function comparingRuns(a: ComparedRun, b: ComparedRun): Generator<number, RunComparison, undefined> {
  return new Comparing(a, b).compare();
}

class Comparing {
  private readonly laneInB: Int32Array;
  private readonly laneInA: Int32Array;
  private readonly spanInB: Int32Array;
  private readonly spanInA: Int32Array;
  private readonly differences: Difference[] = [];
  private readonly keys = new StepKeys();
  private readonly hasDigests: boolean;

  constructor(
    private readonly a: ComparedRun,
    private readonly b: ComparedRun,
  ) {
    this.laneInB = new Int32Array(a.trace.lanes.length).fill(-1);
    this.laneInA = new Int32Array(b.trace.lanes.length).fill(-1);
    this.spanInB = new Int32Array(a.trace.spans.length).fill(-1);
    this.spanInA = new Int32Array(b.trace.spans.length).fill(-1);
    this.hasDigests = a.digests !== undefined && b.digests !== undefined;
  }

  *compare(): Generator<number, RunComparison, undefined> {
    // A list of what is left is used and not recursion, because a chain of delegations may be deeper than the call stack.
    const pending = [...this.pairRoots()];
    let done = 0;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      yield done++ / this.laneInB.length;
      const [laneA, laneB] = next;
      this.compareInstances(laneA, laneB);
      this.compareSteps(laneA, laneB);
      for (const pair of this.pairChildren(laneA, laneB)) pending.push(pair);
    }
    yield 1;
    this.differences.sort((x, y) => x.seq - y.seq || compareTexts(this.placeText(x), this.placeText(y)));
    const { laneInB, laneInA, spanInB, spanInA, differences } = this;
    return { laneInB, laneInA, spanInB, spanInA, differences };
  }

  /** Roots of other names are partners too, because frameworks name the same agent differently. */
  private pairRoots(): readonly LanePair[] {
    const [a, b] = [this.a.trace.roots, this.b.trace.roots];
    const pairs = this.pairLanes(a, b, [this.laneKeys, this.agentKeys, (_run, lanes) => new Int32Array(lanes.length)]);
    const isWhole = this.a.trace.run.status !== undefined && this.b.trace.run.status !== undefined;
    if (isWhole) this.addLanesWithout(a, b);
    return pairs;
  }

  /** Children of paired calls are partners if they have the same agent. Children without a known call go by their order. */
  private pairChildren(laneA: number, laneB: number): readonly LanePair[] {
    const byCallA = childrenByCall(this.a.trace, laneA);
    const byCallB = childrenByCall(this.b.trace, laneB);
    const pairs: LanePair[] = [];
    for (const [call, childrenA] of byCallA) {
      if (call === noCall) continue;
      const partner = this.spanInB[call] ?? -1;
      const childrenB = partner < 0 ? undefined : byCallB.get(partner);
      if (childrenB !== undefined) pairs.push(...this.pairLanes(childrenA, childrenB, [this.agentKeys]));
    }
    const [restA, restB] = [byCallA.get(noCall) ?? [], byCallB.get(noCall) ?? []];
    // Other tools may record no call for a child. Its partner is then a child whose call has no partner.
    const [looseA, looseB] = [looseChildren(byCallA, this.spanInB), looseChildren(byCallB, this.spanInA)];
    const found = this.pairLanes(restB.length > 0 ? looseA : restA, restA.length > 0 ? looseB : restB, [
      this.laneKeys,
      this.agentKeys,
    ]);
    pairs.push(...found);
    this.addLanesWithout(isOpen(this.b.trace, laneB) ? [] : restA, isOpen(this.a.trace, laneA) ? [] : restB);
    return pairs;
  }

  /** Notes the lanes that have no partner. */
  private addLanesWithout(a: readonly number[], b: readonly number[]): void {
    for (const lane of a) if ((this.laneInB[lane] ?? -1) < 0) this.addOnly('only-a', this.spanOf(this.a, lane));
    for (const lane of b) if ((this.laneInA[lane] ?? -1) < 0) this.addOnly('only-b', this.spanOf(this.b, lane));
  }

  private pairLanes(a: readonly number[], b: readonly number[], levels: readonly LaneKeys[]): readonly LanePair[] {
    if (a.length === 0 || b.length === 0) return [];
    const found = pairUp(
      levels.map((keys) => keys(this.a, a)),
      levels.map((keys) => keys(this.b, b)),
    );
    return a.flatMap((laneA, i) => {
      const laneB = b[found[i] ?? -1];
      if (laneB === undefined) return [];
      this.laneInB[laneA] = laneB;
      this.laneInA[laneB] = laneA;
      return [[laneA, laneB] as const];
    });
  }

  private readonly laneKeys: LaneKeys = (run, lanes) =>
    Int32Array.from(lanes, (lane) =>
      this.keys.ofContent(this.agentKey(run, lane), digestAt(run, run.trace.spans.startSeq.at(this.spanOf(run, lane)))),
    );

  private readonly agentKeys: LaneKeys = (run, lanes) => Int32Array.from(lanes, (lane) => this.agentKey(run, lane));

  private agentKey(run: ComparedRun, lane: number): number {
    return this.keys.ofName(run.trace.lanes[lane]?.agentName ?? '');
  }

  private spanOf({ trace }: ComparedRun, lane: number): number {
    return trace.lanes[lane]?.span ?? 0;
  }

  private compareInstances(laneA: number, laneB: number): void {
    const [spanA, spanB] = [this.spanOf(this.a, laneA), this.spanOf(this.b, laneB)];
    this.comparePair(spanA, spanB);
    const [waitA, waitB] = [waitOf(this.a.trace, laneA), waitOf(this.b.trace, laneB)];
    if (waitA === undefined || waitB === undefined || waitA === spanA || waitB === spanB) return;
    this.spanInB[waitA] = waitB;
    this.spanInA[waitB] = waitA;
  }

  private compareSteps(laneA: number, laneB: number): void {
    const [stepsA, stepsB] = [stepsOf(this.a.trace, laneA), stepsOf(this.b.trace, laneB)];
    const found = pairUp(this.stepKeys(this.a, stepsA), this.stepKeys(this.b, stepsB));
    const taken = new Uint8Array(stepsB.length);
    let [lastA, lastB] = [-1, -1];
    for (let i = 0; i < stepsA.length; i++) {
      const place = found[i] ?? -1;
      if (place < 0) continue;
      taken[place] = 1;
      lastA = i;
      lastB = Math.max(lastB, place);
      this.comparePair(stepsA[i] ?? 0, stepsB[place] ?? 0);
    }
    // Of an instance that goes on, what the other one did later may still come.
    const waitsA = isOpen(this.a.trace, laneA);
    const waitsB = isOpen(this.b.trace, laneB);
    for (let i = 0; i < stepsA.length; i++) {
      if ((found[i] ?? -1) < 0 && !(waitsB && i > lastA)) this.addOnly('only-a', stepsA[i] ?? 0);
    }
    for (let i = 0; i < stepsB.length; i++) {
      if (taken[i] === 0 && !(waitsA && i > lastB)) this.addOnly('only-b', stepsB[i] ?? 0);
    }
  }

  private stepKeys(run: ComparedRun, steps: Int32Array): readonly Int32Array[] {
    const { spans, strings } = run.trace;
    const kinds = steps.map((step) => spans.kind.at(step));
    const named = steps.map((step, i) => this.keys.ofStep(strings[spans.name.at(step)] ?? '', kinds[i] ?? 0));
    const contents = steps.map((step, i) => this.keys.ofContent(named[i] ?? 0, digestAt(run, spans.startSeq.at(step))));
    return [contents, named, kinds];
  }

  /** Makes two spans partners and notes how they differ. */
  private comparePair(spanA: number, spanB: number): void {
    const [a, b] = [this.a.trace.spans, this.b.trace.spans];
    this.spanInB[spanA] = spanB;
    this.spanInA[spanB] = spanA;
    const began = Math.min(a.startSeq.at(spanA), b.startSeq.at(spanB));
    const isInstance = a.kindOf(spanA) === 'instance' || a.kindOf(spanA) === 'queued';
    if (!isInstance && spanName(this.a.trace, spanA) !== spanName(this.b.trace, spanB)) {
      this.differences.push({ what: 'name', a: spanA, b: spanB, seq: began });
    } else if (this.differs(a.startSeq.at(spanA), b.startSeq.at(spanB))) {
      this.differences.push({ what: 'asked', a: spanA, b: spanB, seq: began });
    }
    if (a.statusOf(spanA) === 'open' || b.statusOf(spanB) === 'open') return;
    const isSameStatus = a.statusOf(spanA) === b.statusOf(spanB);
    if (isSameStatus && !this.differs(a.endSeq.at(spanA), b.endSeq.at(spanB))) return;
    const ended = Math.min(a.endSeq.at(spanA) || began, b.endSeq.at(spanB) || began);
    this.differences.push({ what: 'answered', a: spanA, b: spanB, seq: Math.max(began, ended) });
  }

  /** True if both events are known to say something, and not the same. */
  private differs(seqA: number, seqB: number): boolean {
    if (!this.hasDigests) return false;
    const [a, b] = [digestAt(this.a, seqA), digestAt(this.b, seqB)];
    return a !== b && a !== NO_DIGEST && b !== NO_DIGEST;
  }

  private addOnly(what: 'only-a' | 'only-b', span: number): void {
    const isA = what === 'only-a';
    const seq = (isA ? this.a : this.b).trace.spans.startSeq.at(span);
    this.differences.push({ what, a: isA ? span : undefined, b: isA ? undefined : span, seq });
  }

  private placeText({ what, a, b }: Difference): string {
    const [{ trace }, span] = a === undefined ? [this.b, b ?? 0] : [this.a, a];
    const lane = trace.lanes[trace.spans.lane.at(span)];
    return `${lane?.path ?? ''}\n${spanName(trace, span)}\n${what === 'only-b' ? 'only-a' : what}`;
  }
}

/** Gives equal things equal numbers, from 0 on. */
class StepKeys {
  private readonly names = new Map<string, number>();
  private readonly steps = new Map<number, number>();
  private readonly contents = new Map<number, number>();

  ofName(name: string): number {
    return numberIn(this.names, name);
  }

  ofStep(name: string, kind: number): number {
    return numberIn(this.steps, this.ofName(name) * kindCount + kind);
  }

  /** Joins the key of a name or of a step with a digest. Both fit into the 53 bits of a whole number. */
  ofContent(key: number, digest: number): number {
    return numberIn(this.contents, key * 2 ** 32 + digest);
  }
}

const kindCount = spanKinds.length;

function numberIn<Key>(known: Map<Key, number>, key: Key): number {
  const before = known.get(key);
  if (before !== undefined) return before;
  known.set(key, known.size);
  return known.size - 1;
}

type LanePair = readonly [a: number, b: number];
type LaneKeys = (run: ComparedRun, lanes: readonly number[]) => Int32Array;

function digestAt({ digests }: ComparedRun, seq: number): number {
  return seq === 0 ? NO_DIGEST : (digests?.[seq - 1] ?? NO_DIGEST);
}

/** Returns the steps of a lane in order. An attempt that a crash interrupted is none, because the step was started again. */
function stepsOf({ lanes, spans }: Trace, lane: number): Int32Array {
  const own = lanes[lane]?.spans;
  const steps: number[] = [];
  for (let i = 0; i < (own?.length ?? 0); i++) {
    const span = own?.ids.at(i) ?? 0;
    const kind = spans.kindOf(span);
    const isStep = kind === 'model' || kind === 'tool' || kind === 'hook' || kind === 'decision';
    if (isStep && spans.statusOf(span) !== 'interrupted') steps.push(span);
  }
  return Int32Array.from(steps);
}

/** Returns the span in which an instance waited to begin, if it waited. */
function waitOf({ lanes, spans }: Trace, lane: number): number | undefined {
  const own = lanes[lane]?.spans;
  if (own === undefined || own.length === 0) return undefined;
  const first = own.ids.at(0);
  return spans.kindOf(first) === 'queued' ? first : undefined;
}

/** Stands for the call of a child whose call is not known. */
const noCall = -1;

function childrenByCall({ lanes }: Trace, parent: number): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const child of lanes[parent]?.children ?? []) {
    const call = lanes[child]?.parentSpan ?? noCall;
    const known = children.get(call);
    if (known === undefined) children.set(call, [child]);
    else known.push(child);
  }
  return children;
}

/** Returns the children without a known call and those whose call has no partner, in their order. */
function looseChildren(byCall: ReadonlyMap<number, readonly number[]>, partners: Int32Array): readonly number[] {
  return [...byCall]
    .flatMap(([call, children]) => (call === noCall || (partners[call] ?? -1) < 0 ? children : []))
    .sort((a, b) => a - b);
}

function isOpen(trace: Trace, lane: number): boolean {
  return trace.run.status === undefined && trace.lanes[lane]?.state !== 'ended';
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
