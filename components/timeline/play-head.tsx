'use client';

import { type PointerEvent, useEffect, useRef } from 'react';
import type { TimeAxis } from './time-scale';
import { axisPx } from './timeline-height';

export interface PlayHeadProps {
  /** Microseconds since the origin; `undefined` if none is set. */
  readonly moment: number | undefined;
  readonly onMoment: (moment: number) => void;
  /** Returns where times are, as shares of the width. It is called in every frame while the run is live. */
  readonly axis: () => TimeAxis;
  /** Returns the moment as it is now, while it moves. */
  readonly now: () => number;
  /** Returns the end of the run so far. No later moment can be set. */
  readonly extent: () => number;
  readonly live: boolean;
}

/**
 * Draws the line of the chosen moment over the bars. A click or a drag on the axis sets it; for the keyboard there is the
 * slider of the replay.
 */
export function PlayHead({ moment, onMoment, axis, now, extent, live }: PlayHeadProps) {
  const strip = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let frame = 0;
    const place = () => {
      const element = line.current;
      if (element === null || moment === undefined) return;
      const share = axis().x(live ? now() : moment);
      element.style.left = `${share * 100}%`;
      element.style.display = share < 0 || share > 1 ? 'none' : '';
      if (live) frame = requestAnimationFrame(place);
    };
    place();
    return () => cancelAnimationFrame(frame);
  });

  const setTo = (event: PointerEvent) => {
    const box = strip.current?.getBoundingClientRect();
    if (box === undefined) return;
    const at = axis().time((event.clientX - box.left) / Math.max(box.width, 1));
    onMoment(Math.round(Math.min(Math.max(at, 0), extent())));
  };
  return (
    <>
      <div
        ref={strip}
        aria-hidden
        data-moment-strip
        title="Click or drag to look at the run at that moment"
        className="absolute inset-x-0 top-0 cursor-col-resize touch-none"
        style={{ height: axisPx }}
        onPointerDown={(event) => {
          event.stopPropagation();
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setTo(event);
        }}
        onPointerMove={(event) => {
          event.stopPropagation();
          if (event.buttons === 1) setTo(event);
        }}
        onPointerUp={(event) => event.stopPropagation()}
      />
      {moment !== undefined && (
        <div
          ref={line}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 w-px bg-accent before:absolute before:-left-1 before:top-0 before:size-0 before:border-x-4 before:border-x-transparent before:border-t-[6px] before:border-t-accent"
        />
      )}
    </>
  );
}
