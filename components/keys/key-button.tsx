'use client';

import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';

/** A button that opens a dialog for a key or a secret. It may be in a form, or in a row that opens something. */
export function KeyButton({ onOpen, children }: { readonly onOpen: () => void; readonly children: ReactNode }) {
  return (
    <Button
      size="sm"
      icon={<KeyRound aria-hidden className="size-3.5" />}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onOpen();
      }}
    >
      {children}
    </Button>
  );
}
