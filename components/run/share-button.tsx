'use client';

import { Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ShareServices } from './share-services';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog')).ShareDialog }));

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
      {isOpen && (
        <Suspense fallback={null}>
          <ShareDialog services={services} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
