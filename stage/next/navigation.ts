import { useMemo, useSyncExternalStore } from 'react';
import { go, listenToAddress } from './router';

/** The parts of `next/navigation` that screens use. */

export function usePathname(): string {
  return useSyncExternalStore(listenToAddress, () => window.location.pathname);
}

export function useSearchParams(): URLSearchParams {
  const query = useSyncExternalStore(listenToAddress, () => window.location.search);
  return useMemo(() => new URLSearchParams(query), [query]);
}

export function useRouter() {
  return router;
}

/** `refresh` asks the server for the page again; a scene answers with what its services have now. */
const router = {
  push: (href: string) => go(href),
  replace: (href: string) => go(href, 'replace'),
  refresh: () => window.dispatchEvent(new Event('stage-refresh')),
  prefetch: () => undefined,
  back: () => history.back(),
};

export function notFound(): never {
  throw new Error('The page was not found');
}

export function unstable_isUnrecognizedActionError(_error: unknown): boolean {
  return false;
}
