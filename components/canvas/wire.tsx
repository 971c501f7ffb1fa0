'use client';

import { BaseEdge, type EdgeProps, getBezierPath, useStore } from '@xyflow/react';
import { memo } from 'react';
import { escapeHidden } from '@/lib/base/escape-hidden';
import { wireHint, wireWords } from '@/lib/editor/graph-words';
import type { FanWay } from '@/lib/graph/fans';
import type { EdgeKind, GraphEdge } from '@/lib/graph/graph';
import { type Distance, distanceOf } from './distance';
import type { WireEdge } from './flow-model';
import { gate } from './flow-path';
import { fanPath } from './wire-path';

/** The width of a letter in pixels. Words are larger when the graph is seen from further away. */
const letterPx = { near: 5.5, mid: 7.6, away: 9.7, far: 9.7, farthest: 9.7 } as const satisfies Record<
  Distance,
  number
>;
const mostLetters = 40;
/** This much is kept free at both ends of a wire. */
const endsPx = 6;

const selectedLook = { stroke: 'var(--accent)', strokeWidth: 3, opacity: 1 };
/** The look of wires at a selected node. */
const litLook = { strokeWidth: thick(2.25), opacity: 1 };
/** The width in canvas units where a wire takes the pointer, about twenty pixels on the screen. */
const gripPx = { near: 20, mid: 26, away: 34, far: 46, farthest: 80 } as const satisfies Record<Distance, number>;

/** Draws an edge. Line and colour show its kind; a number or a few words in the middle show its place and its options. */
export const Wire = memo(function Wire(props: EdgeProps<WireEdge>) {
  const distance = useStore(distanceOf);
  const { edge, way, gated, lit } = props.data ?? {};
  if (edge === undefined) return null;
  const look = { ...lineStyle(edge.kind), ...(props.selected ? selectedLook : lit ? litLook : {}) };
  if (edge.kind === 'fan_in') return <FanIn {...props} edge={edge} gated={gated === true} look={look} />;
  const hint = wireHint(edge);
  const { path, label, letters, begins } = lineOf(props, way, letterPx[distance]);
  return (
    <g data-kind={edge.kind}>
      {hint === undefined ? null : <title>{hint}</title>}
      <BaseEdge
        id={props.id}
        path={path}
        interactionWidth={gripPx[distance]}
        style={look}
        {...(props.markerEnd === undefined ? {} : { markerEnd: props.markerEnd })}
      />
      {edge.kind === 'sequence' && edge.order !== undefined ? (
        <StepNumber order={edge.order} {...label} />
      ) : (
        <Words words={wireWords(edge)} {...label} letters={letters} start={begins} />
      )}
    </g>
  );
});

/** The words of a fan-in are below the agent that joins, because its handle is in the middle of its left side. */
const underNodePx = 45;

interface Line {
  readonly path: string;
  readonly label: { readonly x: number; readonly y: number };
  /** The number of letters that have room at the label. */
  readonly letters: number;
  /** If true, the words begin at the label. Otherwise it is their middle. */
  readonly begins: boolean;
}

function lineOf(props: EdgeProps<WireEdge>, way: FanWay | undefined, letter: number): Line {
  const fan =
    way === undefined
      ? undefined
      : fanPath(way, { x: props.sourceX, y: props.sourceY }, { x: props.targetX, y: props.targetY });
  const room = fan?.room ?? props.targetX - props.sourceX - endsPx;
  const letters = room > 0 ? Math.min(Math.floor(room / letter), mostLetters) : mostLetters;
  if (fan !== undefined) return { path: fan.path, label: fan.label, letters, begins: fan.begins };
  const [path, x, y] = getBezierPath(props);
  return { path, label: { x, y }, letters, begins: false };
}

/** Draws the place of a step as a number in a circle. */
function StepNumber(props: { readonly order: number; readonly x: number; readonly y: number }) {
  return (
    <g className="cb-step">
      <circle cx={props.x} cy={props.y} r={props.order > 99 ? 12 : 9} />
      <text x={props.x} y={props.y} textAnchor="middle" dominantBaseline="central">
        {props.order}
      </text>
    </g>
  );
}

/** Draws a bar where answers arrive, and an arrow from it to the agent that joins them. Without branches a line leads to the bar. */
function FanIn(
  props: EdgeProps<WireEdge> & {
    readonly edge: GraphEdge;
    readonly gated: boolean;
    readonly look: React.CSSProperties;
  },
) {
  const { targetX, targetY, edge, look } = props;
  const x = targetX - gate.beforePx;
  const [line] = getBezierPath({ ...props, targetX: x });
  return (
    <g data-kind={edge.kind}>
      {props.gated ? null : <path d={line} fill="none" style={look} />}
      <path
        d={`M${x} ${targetY - gate.halfPx}V${targetY + gate.halfPx}`}
        fill="none"
        strokeLinecap="round"
        style={{ ...look, strokeWidth: 4 }}
      />
      <BaseEdge
        id={props.id}
        path={`M${x} ${targetY}L${targetX} ${targetY}`}
        interactionWidth={28}
        style={look}
        {...(props.markerEnd === undefined ? {} : { markerEnd: props.markerEnd })}
      />
      <Words words={wireWords(edge)} x={targetX} y={targetY + underNodePx} letters={mostLetters} start />
    </g>
  );
}

function Words(props: {
  readonly words: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly letters: number;
  /** If true, the words begin at x. Otherwise x is their middle. */
  readonly start: boolean;
}) {
  const words = props.words.map(escapeHidden);
  const text = fitWords(words, props.letters);
  if (text === '') return null;
  return (
    <text
      x={props.x}
      y={props.y}
      className="cb-wire-label"
      textAnchor={props.start ? 'start' : 'middle'}
      dominantBaseline="central"
    >
      {text}
      <title>{words.join(' · ')}</title>
    </text>
  );
}

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

/** A wire under the pointer is thicker (canvas.css). */
function thick(px: number): string {
  return `calc(${px}px + var(--cb-thicker, 0px))`;
}

function lineStyle(kind: EdgeKind): React.CSSProperties {
  switch (kind) {
    case 'delegation':
      return { stroke: 'var(--agent)', strokeWidth: thick(1.5), opacity: 0.75 };
    case 'uses':
      return { stroke: 'var(--line-strong)', strokeWidth: thick(1.25) };
    case 'route':
      return { stroke: 'var(--agent)', strokeWidth: thick(1.75), strokeDasharray: '0.1 4.5', strokeLinecap: 'round' };
    case 'may_call':
      return { stroke: 'var(--agent)', strokeWidth: thick(1.25), strokeDasharray: '1.5 5', strokeLinecap: 'round' };
    case 'plan':
      return { stroke: 'var(--agent)', strokeWidth: thick(1.5), strokeDasharray: '6 4', opacity: 0.75 };
    default:
      return { stroke: 'var(--model)', strokeWidth: thick(1.5) };
  }
}
