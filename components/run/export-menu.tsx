'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import type { ExportMenuProps } from './export-items';

const ExportItems = later(
  async () => (await import('./export-items')).ExportItems,
  ({ trigger }) => trigger,
);

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
  return isWanted ? <ExportItems runId={runId} picture={picture} trigger={button} /> : button;
}
