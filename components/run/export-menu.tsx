'use client';

import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ExportMenuProps } from './export-items';

const ExportItems = lazy(() => import('./export-items').then((found) => ({ default: found.ExportItems })));

/** A button that offers the run as a file. Its menu is loaded when it is pressed. */
export function ExportMenu({ runId, picture }: ExportMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <Button
      size="sm"
      aria-haspopup="menu"
      icon={<Download aria-hidden className="size-3.5" />}
      onClick={() => setWanted(true)}
    >
      Export
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <ExportItems runId={runId} picture={picture} trigger={button} />
    </Suspense>
  );
}
