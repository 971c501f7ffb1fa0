import { ActivityMark } from '@/components/marks/activity-mark';
import { useIsLeftOut } from '@/components/marks/left-out-mark';
import { VisibleText } from '@/components/ui/visible-text';
import type { GraphNode } from '@/lib/graph/graph';
import { nodeSize } from '@/lib/graph/size';
import { SelectedRing } from './selected-ring';

/**
 * Draws a node that is seen from far away, when there may be a thousand in view: a box with its name. Its handles are places
 * where wires end, and nothing starts there.
 */
export function FarNode(props: { readonly node: GraphNode; readonly selected: boolean; readonly reach: number }) {
  const { node, selected, reach } = props;
  const isLeftOut = useIsLeftOut(node);
  return (
    <>
      <div className="react-flow__handle react-flow__handle-left cb-handle target" data-handlepos="left" />
      <div
        className={`cb-card flex items-center rounded-lg border bg-surface px-2.5 ${selected ? 'border-accent' : 'border-line-strong'} ${isLeftOut ? 'opacity-50' : ''}`}
        style={nodeSize(node)}
      >
        <span className="cb-name min-w-0 flex-1 truncate font-medium text-ink">
          <VisibleText text={node.name} />
        </span>
        {node.kind === 'agent' ? <ActivityMark agent={node.name} /> : null}
      </div>
      {selected ? <SelectedRing id={node.id} /> : null}
      {node.kind === 'agent' ? (
        <div
          className="react-flow__handle react-flow__handle-right cb-handle source"
          data-handlepos="right"
          style={reach === 0 ? undefined : { right: -reach }}
        />
      ) : null}
    </>
  );
}
