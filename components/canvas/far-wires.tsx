'use client';

import { type ReactFlowState, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Point } from '@/lib/graph/graph';
import type { CanvasNode } from './annotation-model';
import { type FarColour, type FarWire, farWires } from './far-paths';
import type { FlowEdge } from './flow-model';

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
  const store = useStoreApi();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || wires.length === 0) return;
    const lines = linesByColour(wires);
    let tokens = readTokens();
    let frame = 0;
    let painted: ReactFlowState['transform'] | undefined;
    const paint = () => {
      frame = 0;
      painted = store.getState().transform;
      paintLines(element, lines, tokens, store.getState());
    };
    const paintSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    paint();
    const unsubscribe = store.subscribe((state, before) => {
      const moved = state.transform !== painted && state.transform !== before.transform;
      if (moved || state.width !== before.width || state.height !== before.height) paintSoon();
    });
    const observer = new MutationObserver(() => {
      tokens = readTokens();
      paintSoon();
    });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    return () => {
      unsubscribe();
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [store, wires]);
  if (wires.length === 0) return null;
  return <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 size-full" />;
}

type Lines = readonly { readonly colour: FarColour; readonly path: Path2D }[];
type Tokens = Readonly<Record<FarColour, string>>;

/** Reads the colours of the theme. It is not done for each frame, because it makes the browser compute styles. */
function readTokens(): Tokens {
  const style = getComputedStyle(document.documentElement);
  const read = (token: FarColour) => style.getPropertyValue(token);
  return { '--agent': read('--agent'), '--line-strong': read('--line-strong'), '--model': read('--model') };
}

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
  tokens: Tokens,
  { width, height, transform: [x, y, zoom] }: Pick<ReactFlowState, 'width' | 'height' | 'transform'>,
): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const ratio = window.devicePixelRatio;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  pen.resetTransform();
  pen.clearRect(0, 0, wide, high);
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
  pen.globalAlpha = 0.6;
  pen.lineWidth = Math.max(1.5, thinnestPx / zoom);
  for (const { colour, path } of lines) {
    pen.strokeStyle = tokens[colour];
    pen.stroke(path);
  }
}
