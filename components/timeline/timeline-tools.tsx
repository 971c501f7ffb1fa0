'use client';

import { ChartNoAxesGantt, Maximize2, Table2, TriangleAlert, ZoomIn, ZoomOut } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';

export interface TimelineToolsProps {
  readonly errors: number;
  readonly onNextError: () => void;
  readonly onFit: () => void;
  /** Zooms by a factor; a factor below 1 zooms in. */
  readonly onZoom: (by: number) => void;
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
}

const zoomStep = 0.6;

export function TimelineTools({ errors, onNextError, onFit, onZoom, asTable, onTable }: TimelineToolsProps) {
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
}
