'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onKeysChanged } from '@/lib/client/stored-keys';

/** Wraps pages whose lists are refreshed every few seconds. Other pages need not load the library. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: 1, refetchOnWindowFocus: true } } }),
  );
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    return () => {
      // The library keeps answers for minutes after the last reader, and nobody reads those of a page that is gone. The delay is for
      // React's development mode, which runs each effect twice.
      leaving.current = setTimeout(() => client.clear());
    };
  }, [client]);
  // What can be run, and with which models, follows from the keys.
  useEffect(() => onKeysChanged(() => void client.invalidateQueries()), [client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
