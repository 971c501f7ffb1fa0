'use client';

import { Handle, type NodeProps, Position } from '@xyflow/react';
import { Asterisk, LogIn, type LucideIcon, UserPlus, Webhook, Wrench } from 'lucide-react';
import { memo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { ActivityMark } from '@/components/marks/activity-mark';
import { HereMark } from '@/components/marks/here-mark';
import { KindIcon } from '@/components/marks/kind-icon';
import { LeftOutMark, useIsLeftOut } from '@/components/marks/left-out-mark';
import { ProblemMark } from '@/components/marks/problem-mark';
import { StartMark } from '@/components/marks/start-mark';
import { agentWords, shortModel, workersHint } from '@/lib/editor/graph-words';
import type { GraphNode, WorkerFace } from '@/lib/graph/graph';
import { nodeSize, signWidthOf } from '@/lib/graph/size';
import { FarNode } from './far-node';
import type { FlowNode } from './flow-model';
import { HookBeads } from './hook-beads';
import { NodeName } from './node-name';
import { SelectedRing } from './selected-ring';
import { useIsFar } from './use-is-far';
import { WorkflowSign } from './workflow-sign';

/** Draws an agent: its name, type and model, its problems, and its state in the shown run. */
export const AgentNode = memo(function AgentNode(props: NodeProps<FlowNode>) {
  const isFar = useIsFar(props.id);
  const { node, row } = props.data;
  if (!isFar) return <NearAgent {...props} />;
  return <FarNode node={node} selected={props.selected === true} reach={signWidthOf(node) + row.width} />;
});

function NearAgent(props: NodeProps<FlowNode>) {
  const { beads, row, tools } = props.data;
  // What is typed into the card is shown here, although React Flow's own node stays as it was.
  const node = useProject((state) => state.picture.nodes.get(props.id)) ?? props.data.node;
  const issues = useProject((state) => state.picture.problems.get(node.id));
  const isEntry = useProject(
    (state) => state.picture.entry !== undefined && node.id === `agent:${state.picture.entry}`,
  );
  const stale = useProject((state) => node.kind === 'agent' && state.picture.stale.has(node.file));
  const isLeftOut = useIsLeftOut(node);
  const actions = useActions();
  if (node.kind !== 'agent') return null;
  const border = node.missing
    ? 'border-dashed border-bad'
    : props.selected
      ? 'border-accent'
      : 'border-line-strong hover:border-muted';
  // A remote agent has a second frame, because it runs elsewhere.
  const remote = node.type === 'a2a' ? 'outline outline-1 outline-offset-2 outline-line-strong' : '';
  return (
    <>
      <Handle type="target" position={Position.Left} className="cb-handle cb-target" />
      <div
        className={`cb-card flex flex-col justify-center rounded-lg border bg-surface shadow-card ${border} ${remote} ${isLeftOut ? 'opacity-50' : stale ? 'opacity-70' : ''}`}
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
              className="cb-small inline-flex items-center gap-0.5 rounded-sm bg-accent-soft px-1 font-medium text-accent"
            >
              <LogIn size={11} aria-hidden />
              entry
            </span>
          ) : null}
        </div>
        <div className="mt-0.5 flex items-center gap-1.5 px-2.5 text-muted">
          <span className="cb-small min-w-0 truncate" title={fullSubtitle(node)}>
            {node.missing ? 'no card defines it' : subtitle(node)}
          </span>
          <span className="ml-auto flex shrink-0 items-center gap-1">
            <WorkersMark workers={node.workers} />
            <Count count={tools} noun="tool" Icon={Wrench} />
            <Count count={beads.length} noun="hook" Icon={Webhook} />
            {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a way for the mouse; keys have the tab of the inspector */}
            <span className="contents" onClick={() => actions.show({ inspectorTab: 'run', narrowPanel: 'inspector' })}>
              <ActivityMark agent={node.name} />
            </span>
            <StartMark agent={node.name} />
            <LeftOutMark node={node} />
            <ProblemMark issues={issues} />
          </span>
        </div>
        {node.description === undefined ? null : (
          <p className="cb-small cb-description truncate px-2.5 text-faint" title={node.description}>
            {node.description}
          </p>
        )}
      </div>
      {props.selected ? <SelectedRing id={props.id} /> : null}
      <HereMark node={node.id} />
      {node.workflow?.sign === undefined ? null : <WorkflowSign sign={node.workflow.sign} />}
      {/* React Flow's own node is the same until more than words changes, so that a key does not render the hooks. */}
      <HookBeads node={props.data.node.kind === 'agent' ? props.data.node : node} row={row} selected={props.selected} />
    </>
  );
}

/** Shows that an agent may call every other agent, or create agents. */
function WorkersMark({ workers }: { readonly workers: WorkerFace | undefined }) {
  if (workers === undefined) return null;
  const words = workersHint(workers);
  return (
    <span role="img" aria-label={words} title={words} className="cb-small inline-flex items-center gap-0.5">
      {workers.everyone ? <Asterisk size={12} aria-hidden /> : null}
      {workers.creates ? <UserPlus size={11} aria-hidden /> : null}
    </span>
  );
}

/** Shows how many tools or hooks an agent has. None are not shown. */
function Count(props: { readonly count: number; readonly noun: string; readonly Icon: LucideIcon }) {
  const { count, noun, Icon } = props;
  if (count === 0) return null;
  const words = `${count} ${noun}${count === 1 ? '' : 's'}`;
  return (
    <span role="img" aria-label={words} title={words} className="cb-small inline-flex items-center gap-0.5 tabular">
      <Icon size={11} aria-hidden />
      {count}
    </span>
  );
}

function subtitle(node: AgentFace): string {
  const words = agentWords(node);
  return node.model === undefined ? words : `${shortModel(node.model)} · ${words}`;
}

/** Says in a tooltip what may be cut off or short on the node. */
function fullSubtitle(node: AgentFace): string {
  return [node.model, agentWords(node)].filter((part) => part !== undefined).join(' · ');
}

type AgentFace = Extract<GraphNode, { kind: 'agent' }>;
