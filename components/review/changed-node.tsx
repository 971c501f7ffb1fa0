'use client';

import { Handle, type NodeProps, Position, type ReactFlowState, useStore } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { distanceOf } from '@/components/canvas/distance';
import type { FlowNode } from '@/components/canvas/flow-model';
import { HookIcon, hookColours } from '@/components/hooks/hook-look';
import { KindIcon } from '@/components/marks/kind-icon';
import { classNames } from '@/components/ui/class-names';
import { VisibleText } from '@/components/ui/visible-text';
import { agentWords } from '@/lib/editor/graph-words';
import { beadGap, beadWidth } from '@/lib/graph/bead-row';
import type { GraphNode } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { beadKey } from '@/lib/graph/review/merged-graph';
import { nodeSize, signWidthOf } from '@/lib/graph/size';
import { changeLook } from './change-look';
import { ChangeTag } from './change-tag';
import { useDrawnPart } from './drawing-context';
import { partLabel } from './part-label';

/** Below this zoom a name is lower than three pixels, and a change is a colour. */
const dotZoom = 0.12;

const isFarthest = (state: ReactFlowState) => distanceOf(state) === 'farthest';
const isDot = ({ transform }: ReactFlowState) => transform[2] < dotZoom;

/** A node of the drawing. From far away, when there may be a thousand in view, it is a box in the colour of its change. */
export const ChangedNode = memo(function ChangedNode({ id, data }: NodeProps<FlowNode>) {
  return useStore(isFarthest) ? <FarNode id={id} data={data} /> : <NearNode id={id} data={data} />;
});

type DrawnNode = Pick<NodeProps<FlowNode>, 'id' | 'data'>;

function FarNode({ id, data }: DrawnNode) {
  const { node } = data;
  const { change, isChosen } = useDrawnPart(id);
  const dot = useStore(isDot);
  const look = change === undefined ? undefined : changeLook(change);
  const fill = look === undefined ? (dot ? 'bg-line-strong' : 'bg-surface') : dot ? look.dot : look.far;
  return (
    <NodeButton id={id} data={data} className={classNames(fill, isChosen && 'ring-8 ring-accent')}>
      {!dot && (
        <span className={classNames('cb-name truncate font-medium text-ink', change === 'removed' && 'line-through')}>
          <VisibleText text={node.name} />
        </span>
      )}
    </NodeButton>
  );
}

/** A node with its hooks. Its frame, its sign and a word say what happened to it. */
function NearNode({ id, data }: DrawnNode) {
  const { node, row } = data;
  const { change, threads, isChosen, choose } = useDrawnPart(id);
  return (
    <NodeButton
      id={id}
      data={data}
      className={classNames('gap-2 bg-surface shadow-card', isChosen && 'ring-2 ring-accent')}
      beside={
        <>
          <ChangeTag change={change} threads={threads} className="-top-2.5 absolute left-2" />
          {row.shown.length > 0 || row.hidden > 0 ? (
            <div className="absolute flex items-center" style={beadPlace(node, signWidthOf(node))}>
              {row.shown.map((entry) => (
                <Bead key={entry.id} node={node} entry={entry} isNamed={row.named} />
              ))}
              {row.hidden > 0 && (
                <button
                  type="button"
                  aria-label={`${row.hidden} more hooks of ${node.name}`}
                  onClick={choose}
                  style={{ marginLeft: beadGap }}
                  className="nodrag nopan pointer-events-auto cb-bead h-5 cursor-pointer rounded-full border bg-surface px-1.5 text-muted"
                >
                  +{row.hidden}
                </button>
              )}
            </div>
          ) : null}
        </>
      }
    >
      <KindIcon node={node} />
      <span className="min-w-0 flex-1">
        <span
          className={classNames(
            'cb-name block truncate font-medium text-ink',
            change === 'removed' && 'line-through decoration-bad',
          )}
        >
          <VisibleText text={node.name} />
        </span>
        {/* Drawn by CSS, because the name of the button need not repeat it. */}
        <span
          aria-hidden
          data-detail={detailOf(node)}
          className="cb-small block truncate text-muted before:content-[attr(data-detail)]"
        />
      </span>
    </NodeButton>
  );
}

/** The button of a node in the frame of its change, between the ends of its wires. */
function NodeButton(
  props: DrawnNode & { readonly className: string; readonly children: ReactNode; readonly beside?: ReactNode },
) {
  const { node, row } = props.data;
  const { change, isChosen, choose } = useDrawnPart(props.id);
  return (
    <>
      <Handle type="target" position={Position.Left} className="cb-handle cb-target" />
      <button
        type="button"
        aria-label={partLabel({ kind: 'node', key: props.id, node }, change)}
        aria-pressed={isChosen}
        onClick={choose}
        style={nodeSize(node)}
        className={classNames(
          'nodrag nopan pointer-events-auto cb-card flex cursor-pointer items-center rounded-lg border px-2.5 text-left',
          change === undefined ? 'border-line-strong' : changeLook(change).frame,
          props.className,
        )}
      >
        {props.children}
      </button>
      {props.beside}
      {node.kind === 'agent' && (
        <Handle
          type="source"
          position={Position.Right}
          className="cb-handle cb-source"
          style={{ right: -(signWidthOf(node) + row.width) }}
        />
      )}
    </>
  );
}

function beadPlace(node: GraphNode, offset: number) {
  const { width, height } = nodeSize(node);
  return { left: width + offset, top: height / 2 - 10 };
}

function Bead(props: { readonly node: GraphNode; readonly entry: ChainEntry; readonly isNamed: boolean }) {
  const { node, entry, isNamed } = props;
  const key = beadKey(node.id, entry);
  const { change, threads, isChosen, choose } = useDrawnPart(key);
  const frame = change === undefined ? '' : changeLook(change).frame;
  const name = partLabel({ kind: 'bead', key, node, entry }, change);
  return (
    <span className="relative flex" style={{ marginLeft: beadGap }}>
      <button
        type="button"
        aria-label={name}
        title={name}
        aria-pressed={isChosen}
        onClick={choose}
        style={{ width: isNamed ? beadWidth(entry) : 20 }}
        className={classNames(
          'nodrag nopan pointer-events-auto cb-bead flex h-5 cursor-pointer items-center gap-1 border leading-none',
          entry.phase === 'around' ? 'rounded-full' : 'rounded-sm',
          isNamed ? 'px-1.5' : 'justify-center',
          hookColours(entry),
          frame,
          isChosen && 'ring-2 ring-accent',
        )}
      >
        <HookIcon entry={entry} />
        {isNamed && (
          <span
            className={classNames(
              'cb-bead-name min-w-0 flex-1 truncate text-left',
              change === 'removed' && 'line-through',
            )}
          >
            <VisibleText text={entry.name} />
          </span>
        )}
      </button>
      <ChangeTag
        change={change}
        threads={threads}
        isShort
        className="-translate-x-1/2 absolute top-full left-1/2 mt-0.5"
      />
    </span>
  );
}

function detailOf(node: GraphNode): string {
  switch (node.kind) {
    case 'agent':
      return node.missing ? 'no card defines it' : agentWords(node);
    case 'server':
      return node.missing ? 'server not configured' : `MCP · ${node.transport ?? 'server'}`;
    case 'function':
      return node.file;
    case 'builtin':
      return 'built-in';
  }
}
