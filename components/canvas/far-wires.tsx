'use client';

import { type ReactFlowState, useReactFlow, useStore } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Point } from '@/lib/graph/graph';
import type { CanvasNode } from './annotation-model';
import { type FarColour, type FarWire, farWires } from './far-paths';
import type { FlowEdge } from './flow-model';
import { emptyPicture, type PaintView, type ShownView, useViewPainter } from './use-view-painter';

/** A graph with at most this many wires always has an element for each, with its arrow and its words. */
const manyWires = 150;
/** From this far away arrows and words are too small to be seen. */
const farZoom = 0.25;
/** Lines are never thinner than this on the screen. */
const thinnestPx = 0.7;
/** A click takes a wire that is at most this far away on the screen. */
const reachPx = 8;

const noWires: readonly FarWire[] = [];
const isFarAway = ({ transform }: Pick<ReactFlowState, 'transform'>) => transform[2] < farZoom;
const stays = (edge: FlowEdge) => edge.selected === true || (edge.type === 'wire' && edge.data?.lit === true);

/**
 * Takes wires of a large graph out of the page while it is seen from far away, because a step of a zoom would make hundreds
 * of elements. They are lines of one picture then. Those of what is selected stay elements.
 */
export function useFarWires(edges: FlowEdge[], nodes: readonly CanvasNode[]) {
  const flow = useReactFlow();
  const isFar = useStore(isFarAway) && edges.length > manyWires;
  const near = useMemo(() => (isFar ? edges.filter(stays) : edges), [isFar, edges]);
  const far = useMemo(
    () =>
      isFar
        ? farWires(
            edges.filter((edge) => !stays(edge)),
            nodes,
          )
        : noWires,
    [isFar, edges, nodes],
  );
  const shown = useRef(far);
  useEffect(() => {
    shown.current = far;
  }, [far]);
  /** Returns the wire of the picture at a place of the window. */
  const wireAt = useCallback(
    (screen: Point) => nearestWire(shown.current, flow.screenToFlowPosition(screen), reachPx / flow.getZoom()),
    [flow],
  );
  return { near, far, wireAt };
}

function nearestWire(wires: readonly FarWire[], at: Point, reach: number): string | undefined {
  const pen = wires.length === 0 ? null : document.createElement('canvas').getContext('2d');
  if (pen === null) return undefined;
  pen.lineWidth = 2 * reach;
  return wires.findLast(({ path }) => pen.isPointInStroke(new Path2D(path), at.x, at.y))?.edge;
}

/** Paints wires behind the nodes. A move of the view paints them again and renders nothing. */
export function FarWires({ wires }: { readonly wires: readonly FarWire[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paint = useMemo((): PaintView | undefined => {
    if (wires.length === 0) return undefined;
    const lines = linesByColour(wires);
    return (element, view, colourOf) => paintLines(element, lines, colourOf, view);
  }, [wires]);
  useViewPainter(canvas, paint);
  if (wires.length === 0) return null;
  return <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 size-full" />;
}

type Lines = readonly { readonly colour: FarColour; readonly path: Path2D }[];

function linesByColour(wires: readonly FarWire[]): Lines {
  const colours: readonly FarColour[] = ['--line-strong', '--model', '--agent'];
  return colours.flatMap((colour) => {
    const paths = wires.filter((wire) => wire.colour === colour).map(({ path }) => path);
    return paths.length === 0 ? [] : [{ colour, path: new Path2D(paths.join('')) }];
  });
}

function paintLines(
  canvas: HTMLCanvasElement,
  lines: Lines,
  colourOf: (token: string) => string,
  { width, height, transform: [x, y, zoom] }: ShownView,
): void {
  const pen = emptyPicture(canvas, width, height);
  if (pen === undefined) return;
  pen.translate(x, y);
  pen.scale(zoom, zoom);
  pen.globalAlpha = 0.6;
  pen.lineWidth = Math.max(1.5, thinnestPx / zoom);
  for (const { colour, path } of lines) {
    pen.strokeStyle = colourOf(colour);
    pen.stroke(path);
  }
}
