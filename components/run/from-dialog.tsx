'use client';

import { Play } from 'lucide-react';
import { useState } from 'react';
import { type StartFault, StartFaultText } from '@/components/commands/ask-approval';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { AgainFiles } from '@/lib/base/again';
import { type RecordPreview, readRecordPreview } from '@/lib/client/run-again';
import type { AgainServices } from './again-services';
import { FilesChoice } from './files-choice';
import { type Loaded, useLoaded } from './use-loaded';
import { Warning } from './warning';

export interface FromDialogProps {
  readonly runId: string;
  /** The number of the event that starts the step. */
  readonly at: number;
  readonly services: AgainServices;
  readonly onClose: () => void;
}

/** Starts a run that begins with the record of this one, up to a step. */
export function FromDialog({ runId, at, services, onClose }: FromDialogProps) {
  const [files, setFiles] = useState<AgainFiles>('recorded');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<StartFault | undefined>(undefined);
  const start = async () => {
    setBusy(true);
    setFault(undefined);
    setFault(await services.start({ kind: 'from', files, at }));
    setBusy(false);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Run again from here"
      description="Everything before this step is answered from the record. The step and the rest run live: tools with effects are called once more."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} icon={<Play aria-hidden className="size-3.5" />} onClick={start}>
            {busy ? 'Starting' : 'Run'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FilesChoice value={files} onChange={setFiles} />
        <Preview key={files} {...{ runId, at, files }} />
        <StartFaultText fault={fault} services={services.approval} onApproved={() => void start()} />
      </div>
    </Dialog>
  );
}

/** Says what the record answers with the chosen files, and why it ends earlier if they do not match it. */
function Preview({ runId, at, files }: Pick<FromDialogProps, 'runId' | 'at'> & { readonly files: AgainFiles }) {
  const preview = useLoaded(`${runId} ${at}`, (signal) => readRecordPreview(runId, { at, files }, signal));
  const mismatch = preview !== undefined && 'value' in preview ? preview.value.mismatch : undefined;
  return (
    <div role="status" className="flex flex-col gap-2 text-sm">
      {mismatch !== undefined && <Warning>{mismatch}</Warning>}
      <p className="text-muted tabular-nums">{previewWords(preview)}</p>
    </div>
  );
}

function previewWords(preview: Loaded<RecordPreview>): string {
  if (preview === undefined) return 'Reading the record';
  if ('error' in preview) return preview.error;
  const { kept, all } = preview.value;
  return `From the record: ${kept.modelCalls} of ${all.modelCalls} model calls and ${kept.toolCalls} of ${all.toolCalls} tool calls.`;
}
