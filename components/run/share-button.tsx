'use client';

import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import type { ShareServices } from './share-services';

const ShareDialog = later(async () => (await import('./share-dialog')).ShareDialog, null);

/** Opens the dialog that makes links to a run. The dialog is loaded then. */
export function ShareButton({ services }: { readonly services: ShareServices }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        aria-haspopup="dialog"
        icon={<Share2 aria-hidden className="size-3.5" />}
        onClick={() => setOpen(true)}
      >
        Share
      </Button>
      {isOpen && <ShareDialog services={services} onClose={() => setOpen(false)} />}
    </>
  );
}
