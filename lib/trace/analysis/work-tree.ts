/**
 * The spans of a run as one tree in which every moment belongs to the innermost node, so that times can be added up. It
 * differs from the spans in two places. Hooks of a call are nested as they ran. The tool inside the innermost hook has a
 * node of its own, because it has no span there.
 *
 *   instance ────────────────────────────────
 *     tool     ├──────────────────────────┤
 *       hook     ├──────────────────────┤         h1 wraps h2
 *         hook     ├────────────────┤             h2 wraps the tool
 *           body       ├──────┤                   the tool itself, or the child's instance
 *
 * A parent always has a lower number than its children, except for bodies and the questions to people in them. So no walk over the
 * tree needs recursion, and a damaged run cannot make a cycle.
 */

import { isWaitForPermit } from '@/lib/trace/figures';
import { kindCodes } from '@/lib/trace/span';
import { sourceCodes, spanFlags } from '@/lib/trace/span-table';
import type { RunColumns } from './run-columns';

/**
 * What a moment was spent on. `wait` is a queued child, `person` a question that nobody has answered; `agent` is Callboard's own
 * work between the steps.
 */
export const activities = ['model', 'tool', 'hook', 'setup', 'wait', 'person', 'agent'] as const;
export type Activity = (typeof activities)[number];

export interface WorkTree {
  readonly run: RunColumns;
  /** The number of nodes. Node i is span i; from `run.count` on, nodes are bodies of tools. */
  readonly size: number;
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** -1 for a root. */
  readonly parent: Int32Array;
  /** The span that a node belongs to. A body belongs to its tool. */
  readonly span: Uint32Array;
  /** Index into `activities` of a node's own time. */
  readonly activity: Uint8Array;
  /** The children of node i are `children[first[i]]` to `children[first[i + 1] - 1]`. The roots are those of node `size`. */
  readonly children: Uint32Array;
  readonly first: Uint32Array;
}

const none = -1;
const codes = {
  queued: kindCodes.queued,
  instance: kindCodes.instance,
  tool: kindCodes.tool,
  hook: kindCodes.hook,
};

export function workTree(run: RunColumns): WorkTree {
  const { count } = run;
  const parent = new Int32Array(count * 2).fill(none);
  const bodies = nestHooks(run, parent);
  const size = count + bodies.length;
  const start = new Float64Array(size);
  const end = new Float64Array(size);
  const span = new Uint32Array(size);
  const activity = new Uint8Array(size);
  start.set(run.start);
  end.set(run.end);
  for (let i = 0; i < count; i++) {
    // A span of a framework repeats time of the step that it was folded into.
    if (run.kind[i] === kindCodes.framework) end[i] = start[i] ?? 0;
    span[i] = i;
    activity[i] = activities.indexOf(activityOf(run, i));
  }
  for (const [at, hook] of bodies.entries()) {
    const node = count + at;
    const from = (run.start[hook] ?? 0) + knownOr(run.belowAt[hook], 0);
    const to = from + knownOr(run.belowFor[hook], (run.end[hook] ?? 0) - from);
    start[node] = Math.min(Math.round(from), run.end[hook] ?? 0);
    end[node] = Math.min(Math.round(to), run.end[hook] ?? 0);
    span[node] = run.parent[hook] ?? 0;
    activity[node] = activities.indexOf('tool');
    parent[node] = hook;
  }
  if (bodies.length > 0) nestQuestions(run, parent, { start, end, span, size });
  const tree = { run, size, start, end, parent: parent.slice(0, size), span, activity };
  return { ...tree, ...childLists(tree.parent, size) };
}

/** Puts the questions of calls that hooks wrap into the bodies of those calls: the hooks wait for the answer too. */
function nestQuestions(
  run: RunColumns,
  parent: Int32Array,
  { start, end, span, size }: Pick<WorkTree, 'start' | 'end' | 'span' | 'size'>,
): void {
  const bodiesOf = new Map<number, number[]>();
  for (let node = run.count; node < size; node++) {
    const call = span[node] ?? 0;
    bodiesOf.set(call, [...(bodiesOf.get(call) ?? []), node]);
  }
  for (let i = 0; i < run.count; i++) {
    if (run.kind[i] !== kindCodes.waiting) continue;
    const at = run.start[i] ?? 0;
    const body = bodiesOf.get(run.parent[i] ?? 0)?.find((node) => (start[node] ?? 0) <= at && at <= (end[node] ?? 0));
    if (body !== undefined) parent[i] = body;
  }
}

function knownOr(value: number | undefined, otherwise: number): number {
  return value === undefined || Number.isNaN(value) ? otherwise : value;
}

/** Fills in the parents of spans. Returns the hooks that need a body: the innermost ones that called their tool. */
function nestHooks(run: RunColumns, parent: Int32Array): readonly number[] {
  const { count, kind, start, end } = run;
  /** The innermost open hook of each call. */
  const innermost = new Int32Array(count).fill(none);
  const wraps = new Uint8Array(count);
  const hooks: number[] = [];
  for (let i = 0; i < count; i++) {
    const above = run.parent[i] ?? 0;
    if (above >= i) continue;
    parent[i] = above;
    const isHook = kind[i] === codes.hook;
    if (kind[above] !== codes.tool || !(isHook || kind[i] === codes.instance || kind[i] === codes.queued)) continue;
    let hook = innermost[above] ?? none;
    // A hook that ended before this one began does not wrap it.
    while (hook !== none && !isInside(start, end, i, hook, isHook)) {
      const outer = parent[hook] ?? none;
      hook = outer === above ? none : outer;
    }
    if (hook !== none) {
      parent[i] = hook;
      wraps[hook] = 1;
    }
    if (!isHook) continue;
    innermost[above] = i;
    hooks.push(i);
  }
  return hooks.filter((hook) => wraps[hook] === 0 && ((run.flags[hook] ?? 0) & spanFlags.stopped) === 0);
}

/** A child's instance may end after its hook when a call was cancelled, so only its start counts. */
function isInside(start: Float64Array, end: Float64Array, inner: number, outer: number, whole: boolean): boolean {
  return (end[outer] ?? 0) >= ((whole ? end : start)[inner] ?? 0);
}

function activityOf(run: RunColumns, span: number): Activity {
  switch (run.kind[span]) {
    case codes.tool:
      return run.source[span] === agentSource ? 'agent' : 'tool';
    case codes.queued:
      return isWaitForPermit(codes.queued, run.lanes[run.lane[span] ?? 0]?.parent) ? 'wait' : 'setup';
    case kindCodes.waiting:
      return 'person';
    case codes.hook:
      return 'hook';
    case kindCodes.model:
      return 'model';
    case kindCodes.setup:
      return 'setup';
    default:
      return 'agent';
  }
}

const agentSource = sourceCodes.agent;

function childLists(parent: Int32Array, size: number): Pick<WorkTree, 'children' | 'first'> {
  const first = new Uint32Array(size + 2);
  for (const above of parent) {
    const at = (above === none ? size : above) + 1;
    first[at] = (first[at] ?? 0) + 1;
  }
  for (let i = 1; i < first.length; i++) first[i] = (first[i] ?? 0) + (first[i - 1] ?? 0);
  const next = first.slice();
  const children = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const above = parent[i] === none ? size : (parent[i] ?? size);
    const at = next[above] ?? 0;
    children[at] = i;
    next[above] = at + 1;
  }
  return { children, first };
}

/**
 * Calls `take` with every piece of a node's own time: where none of its children runs. The pieces of one node come in order
 * of time. Children that reach beyond their parent are cut.
 */
export function eachOwnPiece(tree: WorkTree, take: (node: number, from: number, to: number) => void): void {
  for (let node = 0; node < tree.size; node++) {
    const end = tree.end[node] ?? 0;
    let reached = tree.start[node] ?? 0;
    for (const child of inOrderOfStart(tree, node)) {
      const from = tree.start[child] ?? 0;
      if (from > reached) take(node, reached, Math.min(from, end));
      reached = Math.max(reached, tree.end[child] ?? 0);
      if (reached >= end) break;
    }
    if (end > reached) take(node, reached, end);
  }
}

/** Returns the own time of each node in microseconds. */
export function ownTimes(tree: WorkTree): Float64Array {
  const own = new Float64Array(tree.size);
  eachOwnPiece(tree, (node, from, to) => {
    own[node] = (own[node] ?? 0) + to - from;
  });
  return own;
}

function inOrderOfStart({ children, first, start }: WorkTree, node: number): Uint32Array {
  const list = children.subarray(first[node] ?? 0, first[node + 1] ?? 0);
  for (let i = 1; i < list.length; i++) {
    if ((start[list[i] ?? 0] ?? 0) >= (start[list[i - 1] ?? 0] ?? 0)) continue;
    return list.slice().sort((a, b) => (start[a] ?? 0) - (start[b] ?? 0));
  }
  return list;
}
