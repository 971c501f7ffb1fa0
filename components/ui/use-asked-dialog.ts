'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';

/**
 * Opens the dialog that the part `open` of the address asks for, by its name, and takes that part out of the address, so that a reload does
 * not open it again. A name that the page does not know opens nothing. Until the page is ready, the wish waits.
 */
export function useAskedDialog<Name extends string>(open: Readonly<Record<Name, () => void>>, isReady = true): void {
  const asked = useSearchParams().get('open');
  const act = useEffectEvent((wish: string) => {
    const rest = new URL(window.location.href);
    rest.searchParams.delete('open');
    window.history.replaceState(null, '', `${rest.pathname}${rest.search}${rest.hash}`);
    if (isNameOf(open, wish)) open[wish]();
  });
  useEffect(() => {
    if (isReady && asked !== null) act(asked);
  }, [isReady, asked]);
}

function isNameOf<Name extends string>(open: Readonly<Record<Name, () => void>>, wish: string): wish is Name {
  return Object.hasOwn(open, wish);
}
