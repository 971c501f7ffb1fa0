'use client';

import { Handle, type NodeProps, Position } from '@xyflow/react';
import { LogIn } from 'lucide-react';
import { memo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { ActivityMark } from '@/components/marks/activity-mark';
import { KindIcon } from '@/components/marks/kind-icon';
import { ProblemMark } from '@/components/marks/problem-mark';
import { StartMark } from '@/components/marks/start-mark';
import { agentWords } from '@/lib/editor/graph-words';
import type { GraphNode } from '@/lib/graph/graph';
import { nodeSize, outletWidth } from '@/lib/graph/size';
import type { FlowNode } from './flow-model';
import { HookBeads } from './hook-beads';
import { NodeName } from './node-name';
import { WorkflowSign } from './workflow-sign';

/** Draws an agent: its name, type and model, its problems, and its state in the shown run. */
export const AgentNode = memo(function AgentNode(props: NodeProps<FlowNode>) {
  const { node, beads } = props.data;
  const issues = useProject((state) => state.picture.problems.get(node.id));
  const isEntry = useProject(
    (state) => state.picture.entry !== undefined && node.id === `agent:${state.picture.entry}`,
  );
  const stale = useProject((state) => node.kind === 'agent' && state.picture.stale.has(node.file));
  if (node.kind !== 'agent') return null;
  const border = node.missing
    ? 'border-dashed border-bad'
    : props.selected
      ? 'border-accent'
      : 'border-line-strong hover:border-muted';
  const frame = props.selected ? `${border} ring-2 ring-accent-soft` : border;
  // A remote agent has a second frame, because it runs elsewhere.
  const remote = node.type === 'a2a' ? 'outline outline-1 outline-offset-2 outline-line-strong' : '';
  return (
    <>
      <Handle type="target" position={Position.Left} className="cb-handle cb-target" />
      <div
        className={`flex flex-col justify-center rounded-lg border bg-surface shadow-card ${frame} ${remote} ${stale ? 'opacity-70' : ''}`}
        style={nodeSize(node)}
      >
        <div className="flex items-center gap-2 px-2.5">
          <KindIcon node={node} />
          <NodeName id={node.id} name={node.name} kind="agent" />
          {isEntry ? (
            <span
              role="img"
              aria-label="Entry: runs start here"
              title="Entry: runs start here"
              className="inline-flex items-center gap-0.5 rounded-sm bg-accent-soft px-1 text-2xs font-medium text-accent"
            >
              <LogIn size={11} aria-hidden />
              entry
            </span>
          ) : null}
        </div>
        <div className="mt-1 flex h-5 items-center gap-1.5 px-2.5 text-xs text-muted">
          <span className="min-w-0 truncate" title={node.description ?? subtitle(node)}>
            {node.missing ? 'no card defines it' : subtitle(node)}
          </span>
          <span className="ml-auto flex shrink-0 items-center gap-1">
            <ActivityMark agent={node.name} />
            <StartMark agent={node.name} />
            <ProblemMark issues={issues} />
          </span>
        </div>
      </div>
      {node.workflow?.sign === undefined ? null : <WorkflowSign sign={node.workflow.sign} />}
      <HookBeads agent={node.id} beads={beads} reach={outletWidth(node, beads.length)} />
    </>
  );
});

function subtitle(node: Extract<GraphNode, { kind: 'agent' }>): string {
  const words = agentWords(node);
  return node.model === undefined ? words : `${words} · ${node.model}`;
}
