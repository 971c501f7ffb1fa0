'use client';

import { useMemo } from 'react';
import { useLatest } from '@/components/ui/use-latest';
import { countErrors } from '@/lib/trace/figures';
import type { LaneHeight } from '@/lib/trace/lanes';
import type { LaneSort } from './lane-view';
import { Legend } from './legend';
import { SearchField } from './search-field';
import type { TimelineProps } from './timeline-props';
import { TimelineTools } from './timeline-tools';
import type { RunSearch } from './use-run-search';
import type { TimelineModel } from './use-timeline';

interface TimelineHeadProps {
  readonly props: TimelineProps;
  readonly model: TimelineModel;
  readonly search: RunSearch;
  readonly height: LaneHeight | 'auto';
  readonly setHeight: (height: LaneHeight | 'auto') => void;
  readonly asTable: boolean;
  readonly setAsTable: (asTable: boolean) => void;
}

/** The buttons above the bars, the search and the legend. */
export function TimelineHead({ props, model, search, height, setHeight, asTable, setAsTable }: TimelineHeadProps) {
  const { trace, version, onWindow, compact, view, onView, selected } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; `version` says when
  const errors = useMemo(() => countErrors(trace), [trace, version]);
  // None of these handlers changes, so that a zoom does not render the buttons in every frame.
  const onNextError = useLatest(model.selectNextError);
  const onNextSlowest = useLatest(model.selectNextSlowest);
  const onFit = useLatest(() => onWindow(undefined));
  const onZoom = useLatest(model.zoomBy);
  const onSort = useLatest((sort: LaneSort) => onView((before) => ({ ...before, sort, unfolded: new Set() })));
  const onText = useLatest((filter: string) => onView((before) => ({ ...before, filter })));
  const onSelect = useLatest(model.select);
  const onLeave = useLatest(model.focusLanes);
  const onAllSpans = useLatest((isOn: boolean) => props.allSpans?.setOn(isOn));
  return (
    <>
      <TimelineTools
        {...{ errors, onNextError, onNextSlowest, onFit, onZoom, onSort }}
        asTable={asTable}
        onTable={setAsTable}
        allSpans={props.allSpans?.isOn}
        onAllSpans={onAllSpans}
        compact={compact === true}
        height={height}
        onHeight={setHeight}
        sort={view.sort}
      />
      {!compact && <SearchField text={view.filter} {...{ onText, search, selected, onSelect, onLeave }} />}
      <span className="flex-1" />
      {!compact && <Legend />}
    </>
  );
}
