'use client';

import { useState } from 'react';
import { shownStatus } from '@/components/timeline/span-status';
import { Button } from '@/components/ui/button';
import { StatusLabel } from '@/components/ui/status';
import type { Lane, Trace } from '@/lib/trace/trace';
import { InstanceLink } from './delegation';

const atOnce = 12;

/** A list of instances, each with its status and a link. */
export function InstanceStates(props: {
  readonly title: string;
  readonly lanes: readonly Lane[];
  readonly trace: Trace;
  readonly onSelect: (span: number) => void;
}) {
  const { title, lanes, trace, onSelect } = props;
  const [shown, setShown] = useState(atOnce);
  return (
    <section className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">{title}</h3>
      <ul className="overflow-hidden rounded border text-xs">
        {lanes.slice(0, shown).map((lane) => (
          <li key={lane.path} className="flex items-center gap-2 border-t px-2 py-1 first:border-t-0">
            <StatusLabel status={laneStatus(lane)} look="icon" />
            <InstanceLink {...{ trace, lane, onSelect }} look="name" className="max-w-full" />
          </li>
        ))}
      </ul>
      {lanes.length > shown && (
        <Button size="sm" className="mt-1" onClick={() => setShown(shown + 10 * atOnce)}>
          Show {Math.min(lanes.length - shown, 10 * atOnce)} more
        </Button>
      )}
    </section>
  );
}

export function laneStatus(lane: Lane) {
  return lane.state === 'queued' ? 'queued' : shownStatus(lane.status);
}
