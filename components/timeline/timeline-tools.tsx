'use client';

import {
  ChartNoAxesGantt,
  Layers,
  Maximize2,
  SlidersHorizontal,
  Table2,
  Timer,
  TriangleAlert,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import type { LaneChoice } from './lane-menu';

const LaneMenu = later(
  async () => (await import('./lane-menu')).LaneMenu,
  ({ trigger }) => trigger,
);

export interface TimelineToolsProps extends LaneChoice {
  readonly errors: number;
  readonly onNextError: () => void;
  readonly onNextSlowest: () => void;
  readonly onFit: () => void;
  /** Zooms by a factor; a factor below 1 zooms in. */
  readonly onZoom: (by: number) => void;
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
  /** `undefined` without spans of a framework. */
  readonly allSpans: boolean | undefined;
  readonly onAllSpans: (allSpans: boolean) => void;
  /** Leaves out what a dock has no room for. */
  readonly compact: boolean;
}

const zoomStep = 0.6;

export const TimelineTools = memo(function TimelineTools(props: TimelineToolsProps) {
  const {
    errors,
    onNextError,
    onNextSlowest,
    onFit,
    onZoom,
    asTable,
    onTable,
    allSpans,
    onAllSpans,
    compact,
    ...lanes
  } = props;
  return (
    <>
      {!asTable && (
        <>
          <IconButton size="sm" label="Whole run" keys="F" icon={<Maximize2 aria-hidden />} onClick={onFit} />
          <IconButton
            size="sm"
            label="Zoom in"
            keys="W"
            icon={<ZoomIn aria-hidden />}
            onClick={() => onZoom(zoomStep)}
          />
          <IconButton
            size="sm"
            label="Zoom out"
            keys="S"
            icon={<ZoomOut aria-hidden />}
            onClick={() => onZoom(1 / zoomStep)}
          />
        </>
      )}
      <IconButton
        size="sm"
        label={asTable ? 'Show bars' : 'Show as table'}
        icon={asTable ? <ChartNoAxesGantt aria-hidden /> : <Table2 aria-hidden />}
        onClick={() => onTable(!asTable)}
      />
      {allSpans !== undefined && (
        <IconButton
          size="sm"
          label="All spans"
          icon={<Layers aria-hidden />}
          pressed={allSpans}
          onClick={() => onAllSpans(!allSpans)}
        />
      )}
      {!asTable && !compact && (
        <>
          <LaneMenuButton {...lanes} />
          <IconButton size="sm" label="Next slowest" keys="L" icon={<Timer aria-hidden />} onClick={onNextSlowest} />
        </>
      )}
      {errors > 0 && (
        <button
          type="button"
          onClick={onNextError}
          title="Next error (E)"
          className="flex h-5 cursor-pointer items-center gap-1 whitespace-nowrap rounded bg-bad-soft px-1.5 font-medium text-2xs text-bad hover:brightness-95"
        >
          <TriangleAlert aria-hidden className="size-3" />
          {errors === 1 ? '1 error' : `${errors} errors`}
        </button>
      )}
    </>
  );
});

function LaneMenuButton(props: LaneChoice) {
  const button = (
    <IconButton size="sm" label="Lanes" icon={<SlidersHorizontal aria-hidden />} pressed={props.sort !== 'order'} />
  );
  return (
    <LaterMenu button={button} load={LaneMenu.load}>
      {(trigger) => <LaneMenu {...props} trigger={trigger} />}
    </LaterMenu>
  );
}
