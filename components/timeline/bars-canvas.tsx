'use client';

import { type ReactNode, useRef, useState } from 'react';
import { later } from '@/components/ui/later';
import { type BarsCanvasProps, type BarsView, windowOfView } from './bars-view';
import { PlayHead } from './play-head';
import { TimeAxis } from './time-scale';
import { axisPx } from './timeline-height';
import { useBarFrames } from './use-bar-frames';
import { type Hover, useBarPointer } from './use-bar-pointer';
import { useBarWheel } from './use-bar-wheel';
import { useSize } from './use-size';

const HoverTip = later(async () => (await import('./tooltip')).HoverTip, null);

/**
 * Handles device pixels, frames, wheel and pointer. `paintBars` and `paintLabels` do the painting. `children` are over the
 * bars.
 */
export function BarsCanvas(props: BarsCanvasProps & { readonly children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const axis = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const [hover, setHover] = useState<Hover | undefined>(undefined);
  const latest = useRef<BarsView>({ ...props, size, hovered: hover?.span });
  latest.current = { ...props, size, hovered: hover?.span };
  useBarFrames(latest, canvas, axis);
  useBarWheel(box, latest);
  const pointer = useBarPointer(latest, canvas, setHover);

  const height = Math.max(size.height - axisPx, 0);
  const label = `Bars of ${props.trace.spans.length} spans. Arrow keys in the list of instances walk them; the table shows them as text.`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's short cut to what the tree of instances does by keys
    <div
      ref={box}
      className="relative min-w-0 flex-1 touch-pan-y select-none overflow-hidden"
      style={{ cursor: hover === undefined ? (props.window === undefined ? 'default' : 'grab') : 'pointer' }}
      {...pointer}
      onDoubleClick={() => {
        if (hover !== undefined) props.onZoomTo(hover.together.length > 0 ? hover.together : [hover.span]);
      }}
    >
      <canvas ref={axis} aria-hidden className="block border-b" style={{ width: size.width, height: axisPx }} />
      <canvas ref={canvas} role="img" aria-label={label} className="block" style={{ width: size.width, height }} />
      {props.children}
      {props.onMoment !== undefined && (
        <PlayHead
          moment={props.moment}
          onMoment={props.onMoment}
          axis={() => new TimeAxis(windowOfView(latest.current), 1, latest.current.scale)}
          now={props.now}
          extent={props.extent ?? props.now}
          live={props.live}
        />
      )}
      {hover !== undefined && hover.span < props.trace.spans.length && (
        <HoverTip
          trace={props.trace}
          span={hover.span}
          together={hover.together}
          now={props.now()}
          end={Math.max(props.live ? props.now() : props.trace.lastAt, 1)}
          x={hover.x}
          y={hover.y}
        />
      )}
    </div>
  );
}
