import { type ReactFlowState, useStore } from '@xyflow/react';
import { ringWidth } from './ring-width';

const widthOf = ({ transform }: Pick<ReactFlowState, 'transform'>) => ringWidth(transform[2]);
const cornerPx = 8;

/** Draws the ring around a selected node. Nothing else on the canvas has one. */
export function SelectedRing() {
  const width = useStore(widthOf);
  return (
    <span
      aria-hidden
      className="cb-ring pointer-events-none absolute border-accent"
      style={{ inset: -width, borderWidth: width, borderRadius: cornerPx + width }}
    />
  );
}
