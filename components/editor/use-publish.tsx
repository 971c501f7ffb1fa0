'use client';

import { type ReactNode, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { usePublishing } from '@/components/revisions/publish-context';
import { later } from '@/components/ui/later';
import { whyNot } from '@/lib/base/project-access';

const PublishDialog = later(async () => (await import('@/components/revisions/publish-dialog')).PublishDialog, null);

/** Returns the function that saves the draft and asks whether to publish it, and the question while it is open. */
export function usePublish(): { readonly begin: () => void; readonly isBusy: boolean; readonly dialog: ReactNode } {
  const publishing = usePublishing();
  const actions = useActions();
  const refusal = whyNot(useAccess(), 'project.review');
  const draft = useProject((state) => state.draft);
  const version = useProject((state) => state.saved.version);
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const begin = async () => {
    if (publishing === undefined || isBusy) return;
    if (refusal !== undefined) return actions.notify({ tone: 'bad', text: refusal });
    setIsBusy(true);
    const isSaved = await actions.save();
    setIsBusy(false);
    if (isSaved) setIsOpen(true);
  };
  const dialog = isOpen && publishing !== undefined && (
    <PublishDialog
      what={{ draft, version }}
      label="live"
      services={publishing}
      onClose={() => setIsOpen(false)}
      onDone={(revision) => {
        setIsOpen(false);
        actions.notify({ tone: 'info', text: `Revision ${revision} is live.` });
      }}
    />
  );
  return { begin: () => void begin(), isBusy, dialog };
}
