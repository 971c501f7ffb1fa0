/**
 * The critical path: the steps that made the run as long as it was. The walk goes backwards from the end. In each node it
 * takes the child that ended last, then the child that ended last before that one began, and so on. What lies between is
 * the node's own time.
 *
 *   lead     ├──────────────────────────────┤
 *     model  ├──────┤                              on the path
 *     kid[1]         ├─────┤                       ended before kid[2]: not on it
 *     kid[2]         ├──────────────┤              on the path
 *     model                          ├──────┤      on the path
 *
 * The segments do not overlap, and together they are as long as the run.
 */
import type { WorkTree } from './work-tree';

export interface PathSegment {
  /** The node of the tree; -1 for time of the run outside every span. */
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

/** A node that the walk is in. */
interface Visit {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  /** Its children, the one that ended last first. */
  readonly children: readonly number[];
  next: number;
  /** What is before this moment is not walked yet. */
  reached: number;
}

/** Returns the critical path in order of time. Its cost is O(n log n), and nesting of any depth is allowed. */
export function criticalPath(tree: WorkTree): readonly PathSegment[] {
  const backwards: PathSegment[] = [];
  const open: Visit[] = [visit(tree, -1, 0, tree.run.length)];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const child = nextChild(tree, at);
    const from = child === undefined ? at.from : Math.min(tree.end[child] ?? 0, at.to);
    if (at.reached > from) backwards.push({ node: at.node, from, to: at.reached });
    if (child === undefined) {
      open.pop();
      continue;
    }
    at.reached = Math.max(tree.start[child] ?? 0, at.from);
    open.push(visit(tree, child, at.reached, from));
  }
  return backwards.reverse();
}

function visit(tree: WorkTree, node: number, from: number, to: number): Visit {
  const { children, first, start, end } = tree;
  const list = node < 0 ? tree.size : node;
  const endOf = (child: number) => Math.min(end[child] ?? 0, to);
  const startOf = (child: number) => Math.max(start[child] ?? 0, from);
  const inside = Array.from(children.subarray(first[list] ?? 0, first[list + 1] ?? 0)).filter(
    (child) => endOf(child) > startOf(child),
  );
  inside.sort((a, b) => endOf(b) - endOf(a) || startOf(a) - startOf(b) || a - b);
  return { node, from, to, children: inside, next: 0, reached: to };
}

/** Returns the child that ended last of those that had ended when the path's earliest child so far began. */
function nextChild({ end }: WorkTree, at: Visit): number | undefined {
  while (at.next < at.children.length) {
    const child = at.children[at.next++] ?? 0;
    if (Math.min(end[child] ?? 0, at.to) <= at.reached) return child;
  }
  return undefined;
}
