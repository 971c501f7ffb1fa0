'use client';

import { Panel, useReactFlow, useStoreApi } from '@xyflow/react';
import { memo, type PointerEvent as ReactPointerEvent, useEffect, useMemo, useRef } from 'react';
import type { Point } from '@/lib/graph/graph';
import { boundsOf } from '@/lib/graph/group-frames';
import type { CanvasNode } from './annotation-model';
import { boxOfView, type OverviewMark, overviewMarks, overviewScale } from './overview-model';
import { emptyPicture, type PaintView, type ShownView, useViewPainter } from './use-view-painter';

const size = { width: 160, height: 104 };
/** A node of a huge graph is less than a pixel here, and stays a mark that can be seen. */
const smallestPx = 2;
const noBorder = { borderRadius: 6 };

/**
 * Shows all nodes as one picture, and what is in view. Dragging moves the view, and the wheel zooms. It does the work of React
 * Flow's `MiniMap`, which makes an element for each node and asks each of them after every change.
 */
export const Overview = memo(function Overview({ nodes }: { readonly nodes: readonly CanvasNode[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useMemo(() => overviewMarks(nodes), [nodes]);
  const bounds = useMemo(() => boundsOf(marks.map(({ box }) => box)), [marks]);
  const paint = useMemo(
    (): PaintView => (element, view, colourOf) => paintOverview(element, marks, scaleOf(bounds, view), view, colourOf),
    [marks, bounds],
  );
  useViewPainter(canvas, paint);
  useWheelZoom(canvas);
  const { getViewport, setViewport } = useReactFlow();
  const store = useStoreApi();

  const last = useRef<Point>({ x: 0, y: 0 });
  const placeOf = ({ clientX: x, clientY: y }: ReactPointerEvent) => ({ x, y });

  function drag(event: ReactPointerEvent<HTMLCanvasElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const [from, to] = [last.current, placeOf(event)];
    last.current = to;
    const { x, y, zoom } = getViewport();
    const perPx = zoom / scaleOf(bounds, store.getState()).scale;
    void setViewport({ x: x - (to.x - from.x) * perPx, y: y - (to.y - from.y) * perPx, zoom });
  }

  return (
    <Panel position="bottom-right" className="react-flow__minimap max-sm:!hidden" style={size}>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Overview of the graph"
        className="size-full touch-none"
        style={noBorder}
        onPointerDown={(event) => {
          last.current = placeOf(event);
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
      />
    </Panel>
  );
});

function scaleOf(bounds: ReturnType<typeof boundsOf>, { width, height, transform }: ShownView) {
  return overviewScale(bounds, boxOfView(width, height, transform), size);
}

/** Zooms as React Flow's own map does. React's wheel events cannot be kept from scrolling the page. */
function useWheelZoom(canvas: { readonly current: HTMLCanvasElement | null }) {
  const { getZoom, zoomTo } = useReactFlow();
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      event.stopPropagation();
      const step = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 0.05 : event.deltaMode === 0 ? 0.002 : 1;
      void zoomTo(getZoom() * 2 ** (-event.deltaY * step));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [canvas, getZoom, zoomTo]);
}

function paintOverview(
  canvas: HTMLCanvasElement,
  marks: readonly OverviewMark[],
  { x, y, scale }: ReturnType<typeof overviewScale>,
  view: ShownView,
  colourOf: (token: string) => string,
): void {
  const pen = emptyPicture(canvas, size.width, size.height);
  if (pen === undefined) return;
  for (const { box, colour } of marks) {
    pen.fillStyle = colourOf(colour);
    const [wide, high] = [Math.max(box.width * scale, smallestPx), Math.max(box.height * scale, smallestPx)];
    pen.fillRect(box.x * scale + x, box.y * scale + y, wide, high);
  }
  const shown = boxOfView(view.width, view.height, view.transform);
  pen.fillStyle = colourOf('--ground');
  pen.globalAlpha = 0.7;
  pen.beginPath();
  pen.rect(0, 0, size.width, size.height);
  pen.rect(shown.x * scale + x, shown.y * scale + y, shown.width * scale, shown.height * scale);
  pen.fill('evenodd');
}
