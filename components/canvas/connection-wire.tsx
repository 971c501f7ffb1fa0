'use client';

import { type ConnectionLineComponentProps, getBezierPath, useStore } from '@xyflow/react';
import { useReadProject } from '@/components/editor-state/project-context';
import { canConnect } from '@/lib/graph/rules';

/** Draws the edge that is being pulled. Over a node that it may not reach, the reason is written at the cursor. */
export function ConnectionWire(props: ConnectionLineComponentProps) {
  const readProject = useReadProject();
  const zoom = useStore((state) => state.transform[2]);
  const [path] = getBezierPath({
    sourceX: props.fromX,
    sourceY: props.fromY,
    sourcePosition: props.fromPosition,
    targetX: props.toX,
    targetY: props.toY,
    targetPosition: props.toPosition,
  });
  const verdict =
    props.toNode === null || props.toNode.id === props.fromNode.id
      ? undefined
      : canConnect(readProject().picture.graph, readProject().picture.drawn, props.fromNode.id, props.toNode.id);
  const refused = verdict !== undefined && !verdict.ok ? verdict.reason : undefined;
  return (
    <g>
      <path
        d={path}
        fill="none"
        stroke={refused === undefined ? 'var(--accent)' : 'var(--bad)'}
        strokeWidth={2}
        strokeDasharray={refused === undefined ? undefined : '4 4'}
      />
      {refused === undefined ? null : (
        <foreignObject
          x={props.toX + 12 / zoom}
          y={props.toY + 12 / zoom}
          width={260}
          height={120}
          className="overflow-visible"
        >
          {/* The text has the same size at every zoom. */}
          <div
            style={{ transform: `scale(${1 / zoom})`, transformOrigin: '0 0' }}
            role="alert"
            className="w-fit max-w-[260px] rounded border border-bad bg-raised px-2 py-1 text-xs text-bad shadow-pop"
          >
            {refused}
          </div>
        </foreignObject>
      )}
    </g>
  );
}
