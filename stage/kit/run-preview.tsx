'use client';

import { useMemo, useState } from 'react';
import { type LaneView, plainView } from '@/components/timeline/lane-view';
import type { TimeWindow } from '@/components/timeline/time-window';
import { Timeline } from '@/components/timeline/timeline';
import { eventsOf } from '@/lib/testing/events-of';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';

/** Makes a run of two seconds that still goes on: waiting, parallel and nested agents, models and tools. */
function fixedRun() {
  const trace = emptyTrace();
  const events = eventsOf(
    'lead 0-: model 0-280, time__now 300-420, model 1700-',
    'writer[1] 420>430-1100: model 440-700, files__read 710-800, model 820-1080',
    'writer[2] 420>640-1300: model 650-1290',
    'writer[3] 420>1350-: model 1360-',
    'critic[1] 500-1650: model 510-760, model 1400-1640',
    'lead/critic[1]/helper[1] 780-1380: model 790-1370',
  );
  for (const event of events) foldEvent(trace, event);
  return trace;
}

const nowUs = 2_000_000;

export function RunPreview() {
  const trace = useMemo(fixedRun, []);
  const [selected, setSelected] = useState<number>();
  const [window, setWindow] = useState<TimeWindow>();
  const [view, setView] = useState<LaneView>(plainView);
  const [moment, setMoment] = useState(900_000);
  return (
    <div className="flex h-72 flex-col overflow-hidden rounded-lg border bg-surface">
      <Timeline
        trace={trace}
        version={trace.lastSeq}
        now={() => nowUs}
        live={false}
        selected={selected}
        onSelect={setSelected}
        window={window}
        onWindow={setWindow}
        view={view}
        onView={setView}
        moment={moment}
        onMoment={setMoment}
      />
    </div>
  );
}
