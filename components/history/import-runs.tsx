'use client';

import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';

const ImportRunsDialog = lazy(() =>
  import('./import-runs-dialog').then((found) => ({ default: found.ImportRunsDialog })),
);

/** A button that imports runs of other tools. Its dialog is loaded when it is pressed. */
export function ImportRuns({ onImported }: { readonly onImported: (runs: readonly string[]) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Download aria-hidden className="size-4" />} onClick={() => setOpen(true)}>
        Import
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportRunsDialog onClose={() => setOpen(false)} onImported={onImported} />
        </Suspense>
      )}
    </>
  );
}
