'use client';

import { Handle, Position } from '@xyflow/react';
import { memo } from 'react';
import { HookRow } from '@/components/hooks/hook-row';
import type { BeadRow } from '@/lib/graph/bead-row';
import type { GraphNode } from '@/lib/graph/graph';
import { signWidthOf } from '@/lib/graph/size';

/**
 * Shows the hook chain on the wire between the agent and its tools, outermost first. The outgoing handle is behind the last
 * hook, so every wire passes all of them.
 */
export const HookBeads = memo(function HookBeads(props: {
  readonly node: Extract<GraphNode, { kind: 'agent' }>;
  readonly row: BeadRow;
  readonly selected: boolean;
}) {
  const { node, row, selected } = props;
  const offset = signWidthOf(node);
  const reach = offset + row.width;
  const takesHooks = node.type !== 'a2a' && !node.missing;
  return (
    <>
      {takesHooks && (row.width > 0 || selected) ? (
        <HookRow node={node} row={row} selected={selected} offset={offset} />
      ) : null}
      <Handle
        type="source"
        position={Position.Right}
        className="cb-handle cb-source"
        style={reach === 0 ? undefined : { right: -reach }}
      />
    </>
  );
});
