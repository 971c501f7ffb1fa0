import { getBezierPath, Position } from '@xyflow/react';
import type { FanWay } from '@/lib/graph/fans';
import type { EdgeKind, NodeId, Point } from '@/lib/graph/graph';
import type { CanvasNode } from './annotation-model';
import type { FlowEdge, FlowLineEdge, WireEdge } from './flow-model';
import { flowPath, gate, gatePoint } from './flow-path';
import { fanPath } from './wire-path';

/** A wire seen from so far away that it is a line without arrow, words and dashes. */
export interface FarWire {
  /** The edge that a click selects. */
  readonly edge: string;
  /** The token of its colour. */
  readonly colour: FarColour;
  /** In units of the canvas. */
  readonly path: string;
}

export type FarColour = '--agent' | '--line-strong' | '--model';

/** Returns the lines of wires between nodes where they are now. */
export function farWires(edges: readonly FlowEdge[], nodes: readonly CanvasNode[]): readonly FarWire[] {
  const places = new Map<NodeId, CanvasNode>(nodes.map((node) => [node.id, node]));
  return edges.flatMap((edge): readonly FarWire[] => {
    const [source, target] = [places.get(edge.source), places.get(edge.target)];
    if (source === undefined || target === undefined) return [];
    const [from, to] = [startOf(source), endOf(target)];
    if (isFlow(edge)) return edge.data === undefined ? [] : [lineOfFlow(edge.data, from, to)];
    return edge.data === undefined ? [] : [lineOfWire(edge.id, edge.data, from, to)];
  });
}

function wirePath(way: FanWay | undefined, from: Point, to: Point): string {
  return (way === undefined ? undefined : fanPath(way, from, to)?.path) ?? curve(from, to);
}

function gatePath(from: Point, to: Point, gated: boolean): string {
  const x = to.x - gate.beforePx;
  const bar = `M${x} ${to.y - gate.halfPx}V${to.y + gate.halfPx}M${x} ${to.y}L${to.x} ${to.y}`;
  return gated ? bar : `${curve(from, { x, y: to.y })}${bar}`;
}

function isFlow(edge: FlowEdge): edge is FlowLineEdge {
  return edge.type === 'flow';
}

function lineOfWire(id: string, data: NonNullable<WireEdge['data']>, from: Point, to: Point): FarWire {
  const { edge, way, gated } = data;
  const path = edge.kind === 'fan_in' ? gatePath(from, to, gated) : wirePath(way, from, to);
  return { edge: id, colour: colourOf(edge.kind), path };
}

function lineOfFlow(data: NonNullable<FlowLineEdge['data']>, from: Point, to: Point): FarWire {
  return { edge: data.flow.edge, colour: '--model', path: linePath(data, from, to) };
}

function linePath({ flow, source, target }: NonNullable<FlowLineEdge['data']>, from: Point, to: Point): string {
  if (flow.kind === 'join') return curve(from, gatePoint(to, flow.place ?? { index: 0, of: 1 }));
  const left = from.x - source.reach - source.width;
  const boxes = [
    { ...source, left, top: from.y - source.height / 2 },
    { ...target, left: to.x, top: to.y - target.height / 2 },
  ] as const;
  return flowPath(flow.kind, ...boxes).path;
}

function curve(from: Point, to: Point): string {
  const ends = { sourceX: from.x, sourceY: from.y, targetX: to.x, targetY: to.y };
  return getBezierPath({ ...ends, sourcePosition: Position.Right, targetPosition: Position.Left })[0];
}

function colourOf(kind: EdgeKind): FarColour {
  if (kind === 'uses') return '--line-strong';
  return kind === 'delegation' || kind === 'route' || kind === 'plan' || kind === 'may_call' ? '--agent' : '--model';
}

/** Wires start at the outer edge of the source handle. A collapsed group has none, so they start at its side. */
function startOf({ position, handles, width = 0, height = 0 }: CanvasNode): Point {
  const handle = handles?.find(({ type }) => type === 'source');
  if (handle === undefined) return { x: position.x + width, y: position.y + height / 2 };
  const { x, y, width: wide = 0, height: high = 0 } = handle;
  return { x: position.x + x + wide, y: position.y + y + high / 2 };
}

function endOf({ position, handles, height = 0 }: CanvasNode): Point {
  const handle = handles?.find(({ type }) => type === 'target');
  if (handle === undefined) return { x: position.x, y: position.y + height / 2 };
  return { x: position.x + handle.x, y: position.y + handle.y + (handle.height ?? 0) / 2 };
}
