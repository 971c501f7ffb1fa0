'use client';

import { type ReactNode, useEffect } from 'react';
import { Toaster } from '@/components/ui/toast';
import { watchFields } from '@/components/ui/typing';
import { type OwnPrice, ownPrices, setOwnPrices } from '@/lib/trace/own-prices';
import { keepCompositionKeys } from './composition-keys';

interface ProvidersProps {
  /** The operator's prices of models. Costs are made in the browser too. */
  readonly prices: readonly OwnPrice[];
  readonly children: ReactNode;
}

export function Providers({ prices, children }: ProvidersProps) {
  // Before anything below makes a cost.
  if (JSON.stringify(ownPrices()) !== JSON.stringify(prices)) setOwnPrices(prices);
  useEffect(() => keepCompositionKeys(window), []);
  useEffect(() => watchFields(window), []);
  return (
    <>
      {children}
      <Toaster />
    </>
  );
}
