'use client';

import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { MessageSquare } from 'lucide-react';
import { memo } from 'react';
import type { WireEdge } from '@/components/canvas/flow-model';
import { Wire } from '@/components/canvas/wire';
import { classNames } from '@/components/ui/class-names';
import { ChangeBadge, changeLook } from './change-look';
import { useDrawnPart } from './drawing-context';
import { partLabel } from './part-label';

/** A wire of the drawing. What changed has a halo, dashed where the wire is gone, and a button with the word in its middle. */
export const ChangedWire = memo(function ChangedWire(props: EdgeProps<WireEdge>) {
  const { change, threads, isChosen, choose } = useDrawnPart(props.id);
  const edge = props.data?.edge;
  if (edge === undefined) return null;
  const [path, x, y] = getBezierPath(props);
  const ink = change === undefined ? 'var(--accent)' : changeLook(change).ink;
  const isMarked = change !== undefined || threads > 0;
  return (
    <>
      {(isMarked || isChosen) && (
        <BaseEdge
          id={`${props.id} halo`}
          path={path}
          interactionWidth={0}
          style={{
            stroke: ink,
            strokeWidth: isChosen ? 8 : 5,
            opacity: 0.45,
            ...(change === 'removed' ? { strokeDasharray: '8 6' } : {}),
          }}
        />
      )}
      <Wire {...props} selected={isChosen} />
      {isMarked && (
        <EdgeLabelRenderer>
          <button
            type="button"
            aria-label={partLabel({ kind: 'edge', key: props.id, edge }, change)}
            aria-pressed={isChosen}
            onClick={choose}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y - 14}px)` }}
            className={classNames(
              'nodrag nopan pointer-events-auto absolute flex cursor-pointer items-center gap-1 rounded-sm bg-surface',
              isChosen && 'ring-2 ring-accent',
            )}
          >
            {change !== undefined && <ChangeBadge change={change} />}
            {threads > 0 && (
              <span
                aria-hidden
                data-count={threads}
                className="flex items-center gap-0.5 px-1 text-2xs text-accent tabular-nums after:content-[attr(data-count)]"
              >
                <MessageSquare className="size-3" />
              </span>
            )}
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
