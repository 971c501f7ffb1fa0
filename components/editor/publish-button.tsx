'use client';

import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { usePublishing } from '@/components/revisions/publish-context';
import { PublishDialog } from '@/components/revisions/publish-dialog';
import { Button } from '@/components/ui/button';
import { whyNot } from '@/lib/base/project-access';

/** Saves the draft, then asks whether to publish it. */
export function PublishButton() {
  const publishing = usePublishing();
  const actions = useActions();
  const access = useAccess();
  const draft = useProject((state) => state.draft);
  const version = useProject((state) => state.saved.version);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  if (publishing === undefined) return null;
  const refusal = whyNot(access, 'project.review');
  const begin = async () => {
    setBusy(true);
    const isSaved = await actions.save();
    setBusy(false);
    if (isSaved) setOpen(true);
  };
  return (
    <>
      <Button
        size="sm"
        icon={<Rocket aria-hidden className="size-3.5" />}
        title={refusal}
        aria-label="Publish"
        aria-disabled={refusal !== undefined}
        busy={busy}
        onClick={() => {
          if (refusal === undefined) void begin();
        }}
      >
        <span className="max-sm:sr-only">Publish</span>
      </Button>
      {open && (
        <PublishDialog
          what={{ draft, version }}
          label="live"
          services={publishing}
          onClose={() => setOpen(false)}
          onDone={(revision) => {
            setOpen(false);
            actions.notify({ tone: 'info', text: `Revision ${revision} is live.` });
          }}
        />
      )}
    </>
  );
}
