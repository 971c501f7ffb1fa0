'use client';

import type { ReactNode } from 'react';
import { Toaster } from '@/components/ui/toast';

export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <Toaster />
    </>
  );
}
