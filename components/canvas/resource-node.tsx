'use client';

import { Handle, type NodeProps, Position } from '@xyflow/react';
import { CircleAlert } from 'lucide-react';
import { memo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { ChangedMark } from '@/components/marks/changed-mark';
import { HereMark } from '@/components/marks/here-mark';
import { KindIcon } from '@/components/marks/kind-icon';
import { LeftOutMark, useIsLeftOut } from '@/components/marks/left-out-mark';
import { ProblemMark } from '@/components/marks/problem-mark';
import { StartMark } from '@/components/marks/start-mark';
import { VisibleText } from '@/components/ui/visible-text';
import type { GraphNode } from '@/lib/graph/graph';
import { nodeSize } from '@/lib/graph/size';
import { FarNode } from './far-node';
import type { FlowNode } from './flow-model';
import { NodeName } from './node-name';
import { SelectedRing } from './selected-ring';
import { useIsFar } from './use-is-far';

/**
 * Draws what an agent uses: an MCP server, a function tool, a built-in. It is smaller than an agent, and no wire starts at
 * it.
 */
export const ResourceNode = memo(function ResourceNode(props: NodeProps<FlowNode>) {
  const isFar = useIsFar(props.id);
  if (!isFar) return <NearResource {...props} />;
  return <FarNode node={props.data.node} selected={props.selected === true} reach={0} />;
});

function NearResource(props: NodeProps<FlowNode>) {
  const { node } = props.data;
  const issues = useProject((state) => state.picture.problems.get(node.id));
  const isLeftOut = useIsLeftOut(node);
  const missing = node.kind !== 'builtin' && node.kind !== 'agent' && node.missing;
  const border = missing
    ? 'border-dashed border-bad'
    : props.selected
      ? 'border-accent'
      : 'border-line hover:border-muted';
  return (
    <>
      <Handle type="target" position={Position.Left} className="cb-handle cb-target" />
      <div
        className={`flex items-center gap-2 cb-card rounded-md border bg-surface px-2 shadow-card ${border} ${isLeftOut ? 'opacity-50' : ''}`}
        style={nodeSize(node)}
      >
        <KindIcon node={node} />
        <span className="min-w-0 flex-1">
          {node.kind === 'server' ? (
            <NodeName id={node.id} name={node.name} kind="server" />
          ) : (
            <span className="cb-name block truncate font-medium text-ink" title={node.name}>
              <VisibleText text={node.name} />
            </span>
          )}
          <span className="cb-small block truncate text-muted">{detail(node)}</span>
        </span>
        {node.kind === 'server' ? <StartMark server={node.name} /> : null}
        <LeftOutMark node={node} />
        {node.kind === 'server' ? <ChangedMark server={node.name} /> : null}
        {missing ? null : <ProblemMark issues={issues} />}
        {missing ? <CircleAlert size={14} className="shrink-0 text-bad" aria-hidden /> : null}
      </div>
      {props.selected ? <SelectedRing id={props.id} /> : null}
      <HereMark node={node.id} />
    </>
  );
}

function detail(node: GraphNode): string {
  switch (node.kind) {
    case 'server':
      return node.missing ? 'server not configured' : `MCP · ${node.transport ?? 'server'}`;
    case 'function':
      return node.missing ? `no file ${node.file}` : node.file;
    case 'builtin':
      return 'built-in';
    case 'agent':
      return 'agent';
  }
}
