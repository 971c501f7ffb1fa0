'use client';

import { Activity, FileCode2, FileJson2, ScrollText, Sheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem } from '@/components/ui/menu';

export interface ExportItemsProps {
  readonly runId: string;
  readonly trigger: ReactNode;
}

/** The files that a run can be saved as. Each is a download. */
export function ExportItems({ runId, trigger }: ExportItemsProps) {
  const run = `/api/v1/runs/${runId}`;
  return (
    <Menu trigger={trigger} align="end" defaultOpen>
      <MenuItem href={`${run}/export?as=html`} download icon={<FileCode2 aria-hidden />}>
        HTML page that replays offline
      </MenuItem>
      <MenuItem href={`${run}/otlp`} download icon={<FileJson2 aria-hidden />}>
        OpenTelemetry (OTLP, JSON)
      </MenuItem>
      <MenuItem href={`${run}/export?as=chrome`} download icon={<Activity aria-hidden />}>
        Chrome trace, for Perfetto
      </MenuItem>
      <MenuItem href={`${run}/export?as=events`} download icon={<ScrollText aria-hidden />}>
        Event log, for Import
      </MenuItem>
      <MenuItem href={`${run}/export?as=csv`} download icon={<Sheet aria-hidden />}>
        Table of spans (CSV)
      </MenuItem>
    </Menu>
  );
}
