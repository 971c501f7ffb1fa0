'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';

const ImportRunsDialog = later(async () => (await import('./import-runs-dialog')).ImportRunsDialog, null);

/** A button that imports runs of other tools. Its dialog is loaded when it is pressed. */
export function ImportRuns({ onImported }: { readonly onImported: (runs: readonly string[]) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Download aria-hidden className="size-4" />} onClick={() => setOpen(true)}>
        Import
      </Button>
      {isOpen && <ImportRunsDialog onClose={() => setOpen(false)} onImported={onImported} />}
    </>
  );
}
