'use client';

import { BaseEdge, type EdgeProps, getBezierPath, Position } from '@xyflow/react';
import { memo } from 'react';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { GraphFlow } from '@/lib/graph/flows';
import type { FlowLineEdge } from './flow-model';
import { flowPath, gatePoint } from './flow-path';

/**
 * Draws how a task moves between two members of a workflow. It is thinner than a wire. A click selects the wire that it
 * follows from.
 */
export const FlowLine = memo(function FlowLine(props: EdgeProps<FlowLineEdge>) {
  const { flow, source, target } = props.data ?? {};
  if (flow === undefined || source === undefined || target === undefined) return null;
  const way =
    flow.kind === 'join'
      ? { path: joinPath(props, flow), label: undefined }
      : flowPath(
          flow.kind,
          {
            ...source,
            left: props.sourceX - source.reach - source.width,
            top: props.sourceY - source.height / 2,
          },
          { ...target, left: props.targetX, top: props.targetY - target.height / 2 },
        );
  const arrow = flow.kind === 'join' ? {} : { markerEnd: props.markerEnd ?? '' };
  return (
    <g data-flow={flow.kind} data-edge={flow.edge}>
      <BaseEdge
        id={props.id}
        path={way.path}
        interactionWidth={16}
        style={{
          stroke: props.selected ? 'var(--accent)' : 'var(--model)',
          strokeWidth: props.selected ? 2.5 : 1.25,
          ...(flow.kind === 'feedback' ? { strokeDasharray: '4 3' } : {}),
        }}
        {...arrow}
      />
      {flow.label === undefined || way.label === undefined ? null : (
        <text x={way.label.x} y={way.label.y} className="cb-wire-label" dominantBaseline="central">
          {escapeHidden(flow.label)}
        </text>
      )}
    </g>
  );
});

function joinPath(props: EdgeProps<FlowLineEdge>, { place }: GraphFlow): string {
  const at = gatePoint({ x: props.targetX, y: props.targetY }, place ?? { index: 0, of: 1 });
  const [path] = getBezierPath({ ...props, targetX: at.x, targetY: at.y, targetPosition: Position.Left });
  return path;
}
