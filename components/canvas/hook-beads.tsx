'use client';

import { Handle, Position } from '@xyflow/react';
import { memo } from 'react';
import { useActions } from '@/components/editor/project-context';
import type { HookBead, NodeId } from '@/lib/graph/graph';
import { beadsShown, chainWidth } from '@/lib/graph/size';

/**
 * The hook chain, on the wire between the agent and its tools, outermost first. The outgoing handle sits behind the last
 * bead, so every wire passes them all.
 */
export const HookBeads = memo(function HookBeads(props: {
  readonly agent: NodeId;
  readonly beads: readonly HookBead[];
}) {
  const actions = useActions();
  const shown = props.beads.slice(0, beadsShown);
  const hidden = props.beads.length - shown.length;
  const width = chainWidth(props.beads.length);
  return (
    <>
      {width > 0 ? (
        <ol
          aria-label="Hooks, outermost first"
          className="absolute top-1/2 left-full flex -translate-y-1/2 items-center gap-1 pl-1"
          style={{ width }}
        >
          <span aria-hidden className="absolute top-1/2 right-0 left-0 h-px bg-line-strong" />
          {shown.map((bead, index) => (
            <li key={bead.place ?? `${bead.phase}:${bead.spec}`} className="relative">
              <button
                type="button"
                tabIndex={-1}
                className={`nodrag flex size-[18px] items-center justify-center rounded-full border text-[10px] font-medium tabular ${
                  bead.missing ? 'border-dashed border-bad bg-bad-soft text-bad' : 'border-hook bg-hook-soft text-hook'
                }`}
                title={`${index + 1}. ${bead.spec}${bead.phase === 'around' ? '' : `, ${bead.phase}`}${bead.missing ? ': file missing' : ''}`}
                aria-label={`Hook ${index + 1}: ${bead.spec}${bead.missing ? ', file missing' : ''}`}
                onClick={() => {
                  if (!bead.missing) actions.openFile(bead.file);
                }}
              >
                {bead.missing ? '!' : index + 1}
              </button>
            </li>
          ))}
          {hidden > 0 ? (
            <li className="relative rounded-full bg-hook-soft px-1 text-[10px] text-hook">+{hidden}</li>
          ) : null}
        </ol>
      ) : null}
      <Handle
        type="source"
        position={Position.Right}
        className="cb-handle cb-source"
        style={width === 0 ? undefined : { right: -width }}
      />
    </>
  );
});
