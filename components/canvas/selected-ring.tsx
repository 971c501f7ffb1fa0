import { type ReactFlowState, useStore } from '@xyflow/react';
import { useProject } from '@/components/editor-state/project-context';
import { ringWidth } from './ring-width';

const widthOf = ({ transform }: Pick<ReactFlowState, 'transform'>) => ringWidth(transform[2]);
const cornerPx = 8;

/** Draws the ring around a selected node, and a halo for a moment if the person went to the node. */
export function SelectedRing({ id }: { readonly id: string }) {
  const width = useStore(widthOf);
  const hasHalo = useProject((state) => state.pointed?.id === id);
  const corner = { inset: -width, borderRadius: cornerPx + width };
  return (
    <>
      {hasHalo ? (
        <span
          aria-hidden
          className="cb-halo pointer-events-none absolute"
          style={{ ...corner, outlineWidth: 4 * width }}
        />
      ) : null}
      <span
        aria-hidden
        className="cb-ring pointer-events-none absolute border-accent"
        style={{ ...corner, borderWidth: width }}
      />
    </>
  );
}
