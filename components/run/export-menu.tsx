'use client';

import { Download } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import type { ExportMenuProps } from './export-items';

const ExportItems = later(
  async () => (await import('./export-items')).ExportItems,
  ({ trigger }) => trigger,
);

/** A button that offers the run as a file. */
export function ExportMenu(props: ExportMenuProps) {
  const button = (
    <Button size="sm" icon={<Download aria-hidden className="size-3.5" />}>
      Export
    </Button>
  );
  return (
    <LaterMenu button={button} load={ExportItems.load}>
      {(trigger) => <ExportItems {...props} trigger={trigger} />}
    </LaterMenu>
  );
}
