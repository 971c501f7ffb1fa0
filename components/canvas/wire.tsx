'use client';

import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import { edgeWord } from '@/lib/editor/graph-words';
import type { EdgeKind } from '@/lib/graph/graph';
import type { FlowEdge } from './flow-model';
import { fanPath } from './wire-path';

const letterPx = 5.5;
const mostLetters = 40;
/** This much is kept free at both ends of a wire. */
const endsPx = 6;
/** The room for words above a card of a fan. */
const gutterPx = 200;

/** Draws an edge. Line and colour show its kind; a few words in the middle show its options. */
export const Wire = memo(function Wire(props: EdgeProps<FlowEdge>) {
  const { edge, way } = props.data ?? {};
  if (edge === undefined) return null;
  const fan =
    way === undefined
      ? undefined
      : fanPath(way, { x: props.sourceX, y: props.sourceY }, { x: props.targetX, y: props.targetY });
  const [path, labelX, labelY] =
    fan === undefined ? getBezierPath(props) : ([fan.path, fan.label.x, fan.label.y] as const);
  const words = [edge.order === undefined ? undefined : `${edge.order}`, edgeWord(edge.kind), ...edge.marks].filter(
    (word) => word !== undefined,
  );
  const room = fan === undefined ? props.targetX - props.sourceX - endsPx : gutterPx;
  const text = fitWords(words, room > 0 ? Math.min(Math.floor(room / letterPx), mostLetters) : mostLetters);
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
        <text
          x={labelX}
          y={labelY}
          className="cb-wire-label"
          textAnchor={fan === undefined ? 'middle' : 'start'}
          dominantBaseline="central"
        >
          {text}
          <title>{words.join(' · ')}</title>
        </text>
      )}
    </g>
  );
});

/** Returns as many words as there is room for between the nodes, then the number of the others. */
function fitWords(words: readonly string[], letters: number): string {
  for (let count = words.length; count > 0; count--) {
    const rest = words.length - count;
    const text = [...words.slice(0, count), ...(rest > 0 ? [`+${rest}`] : [])].join(' · ');
    if (text.length <= letters) return text;
  }
  const [first = ''] = words;
  return first.length > letters ? `${first.slice(0, Math.max(letters - 1, 1))}…` : first;
}

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
