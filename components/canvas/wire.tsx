'use client';

import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import type { EdgeKind } from '@/lib/graph/graph';
import { edgeWord, type FlowEdge } from './flow-model';

/** An edge: its kind in line and hue, its options as a few words in the middle. */
export const Wire = memo(function Wire(props: EdgeProps<FlowEdge>) {
  const [path, labelX, labelY] = getBezierPath(props);
  const edge = props.data?.edge;
  if (edge === undefined) return null;
  const words = [
    edge.order === undefined ? undefined : `${edge.order}`,
    edgeWord(edge.kind),
    ...edge.marks.slice(0, 3),
    edge.marks.length > 3 ? `+${edge.marks.length - 3}` : undefined,
  ].filter((word) => word !== undefined);
  const text = words.join(' · ');
  return (
    <g data-kind={edge.kind}>
      <BaseEdge
        id={props.id}
        path={path}
        interactionWidth={16}
        style={{ ...lineStyle(edge.kind), ...(props.selected ? { stroke: 'var(--accent)', strokeWidth: 2.5 } : {}) }}
        {...(props.markerEnd === undefined ? {} : { markerEnd: props.markerEnd })}
      />
      {text === '' ? null : (
        <text x={labelX} y={labelY} className="cb-wire-label" textAnchor="middle" dominantBaseline="central">
          {text.length > 40 ? `${text.slice(0, 39)}…` : text}
          <title>{[edge.order, edgeWord(edge.kind), ...edge.marks].filter(Boolean).join(' · ')}</title>
        </text>
      )}
    </g>
  );
});

function lineStyle(kind: EdgeKind): React.CSSProperties {
  switch (kind) {
    case 'delegation':
      return { stroke: 'var(--agent)', strokeWidth: 1.5, opacity: 0.75 };
    case 'uses':
      return { stroke: 'var(--line-strong)', strokeWidth: 1.25 };
    case 'route':
    case 'plan':
      return { stroke: 'var(--agent)', strokeWidth: 1.5, strokeDasharray: '6 4', opacity: 0.75 };
    default:
      return { stroke: 'var(--model)', strokeWidth: 1.5 };
  }
}
