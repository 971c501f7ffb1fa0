'use client';

import { Activity, FileCode2, FileJson2, Image, ScrollText, Sheet, Spline } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import type { TimelinePicture } from '@/components/timeline/timeline-props';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { saveBlob } from '@/components/ui/save-blob';
import { keepToast, showToast } from '@/components/ui/toast';
import { get } from '@/lib/client/ask';

export interface ExportMenuProps {
  readonly runId: string;
  /** True if the timeline shows the spans of the framework of an imported run. The files have what it shows. */
  readonly allSpans: boolean;
  /** Returns what the timeline shows. Unset while there is no timeline. */
  readonly picture: RefObject<(() => TimelinePicture) | undefined>;
}

export interface ExportItemsProps extends ExportMenuProps {
  readonly trigger: ReactNode;
}

/** The files that a run can be saved as. Pictures are of what the timeline shows. */
export function ExportItems({ runId, allSpans, picture, trigger }: ExportItemsProps) {
  const run = `/api/v1/runs/${runId}`;
  const file = (form: 'html' | 'chrome' | 'csv') => `${run}/export?as=${form}${allSpans ? '&spans=all' : ''}`;
  const save = async (form: 'png' | 'svg') => {
    const failure = await saveShown(picture, form, `run-${runId}`);
    if (failure !== undefined) showToast({ text: failure, tone: 'bad' });
  };
  return (
    <Menu trigger={trigger} align="end" defaultOpen>
      <MenuItem icon={<Image aria-hidden />} onSelect={() => void save('png')}>
        Picture of the timeline (PNG)
      </MenuItem>
      <MenuItem icon={<Spline aria-hidden />} onSelect={() => void save('svg')}>
        Picture of the timeline (SVG)
      </MenuItem>
      <MenuSeparator />
      <MenuItem href={file('html')} download icon={<FileCode2 aria-hidden />}>
        HTML page that replays offline
      </MenuItem>
      <MenuItem href={`${run}/otlp`} download icon={<FileJson2 aria-hidden />}>
        OpenTelemetry (OTLP, JSON), without texts
      </MenuItem>
      <MenuItem icon={<FileJson2 aria-hidden />} onSelect={() => void saveWithTexts(runId)}>
        OpenTelemetry with messages, arguments, results
      </MenuItem>
      <MenuItem href={file('chrome')} download icon={<Activity aria-hidden />}>
        Chrome trace, for Perfetto
      </MenuItem>
      <MenuItem href={`${run}/export?as=events`} download icon={<ScrollText aria-hidden />}>
        Event log, for Import
      </MenuItem>
      <MenuItem href={file('csv')} download icon={<Sheet aria-hidden />}>
        Table of spans (CSV)
      </MenuItem>
    </Menu>
  );
}

async function saveShown(picture: ExportMenuProps['picture'], form: 'png' | 'svg', name: string) {
  const shown = picture.current?.();
  if (shown === undefined) return 'There is no timeline to save yet. Try again when it shows.';
  try {
    const { savePicture } = await import('@/components/picture/save-picture');
    return await savePicture(shown, form, name);
  } catch {
    return 'The picture was not saved. Reload the page, then try again.';
  }
}

/** The server refuses a large run. A link would only say that the download failed, so the file is asked for here. */
async function saveWithTexts(runId: string): Promise<void> {
  const done = keepToast({ text: 'The file is being made.' });
  try {
    const answer = await get(`/api/v1/runs/${runId}/otlp?texts=yes`);
    saveBlob(await answer.blob(), `run-${runId}.otlp.json`);
  } catch (error) {
    showToast({ text: error instanceof Error ? error.message : String(error), tone: 'bad' });
  } finally {
    done();
  }
}
