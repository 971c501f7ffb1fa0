import { CircleSlash } from 'lucide-react';
import { useRun } from '@/components/editor-state/run-context';
import { hasLeftOut, leftOutOf } from '@/lib/editor/leave-out';
import type { GraphNode } from '@/lib/graph/graph';

/** True if the next run does without this node. */
export function useIsLeftOut(node: GraphNode): boolean {
  return useRun(({ leftOut }) => {
    if (leftOut.length === 0) return false;
    const one = leftOutOf(node);
    return one !== undefined && hasLeftOut(leftOut, one);
  });
}

/** Shows on a node that the next run does without it. */
export function LeftOutMark({ node }: { readonly node: GraphNode }) {
  if (!useIsLeftOut(node)) return null;
  return (
    <span
      role="img"
      aria-label="left out of the next run"
      title="Left out of the next run"
      className="inline-flex shrink-0 items-center rounded-sm bg-hover px-1 py-0.5 text-ink"
    >
      <CircleSlash size={12} aria-hidden />
    </span>
  );
}
