import { ViewportPortal } from '@xyflow/react';
import type { Guide } from '@/lib/graph/arrange';

/** Draws the lines to which a dragged node snaps. */
export function GuideLines({ guides }: { readonly guides: readonly Guide[] }) {
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      {guides.map(({ axis, at, from, to }) => (
        <div
          key={axis}
          aria-hidden
          className="pointer-events-none absolute bg-accent"
          style={
            axis === 'x'
              ? { left: at, top: from - 12, width: 1, height: to - from + 24 }
              : { left: from - 12, top: at, width: to - from + 24, height: 1 }
          }
        />
      ))}
    </ViewportPortal>
  );
}
