import type { Check } from '@/lib/base/check';
import { isRecord } from '@/lib/base/json';
import { getChecked } from './ask';

const hasUnread: Check<{ readonly unread: number }> = (value): value is { readonly unread: number } =>
  isRecord(value) && typeof value.unread === 'number';

/** Returns how many notices the person has not read, up to 100. Every page asks, so it needs no schemas. Rejects with a `RequestError`. */
export async function readUnreadCount(signal?: AbortSignal): Promise<number> {
  return (await getChecked('/api/v1/notices/unread', hasUnread, signal)).unread;
}

const listeners = new Set<() => void>();

/** Runs `callback` when notices were read on this page. Returns an unsubscribe function. */
export function onNoticesRead(callback: () => void): () => void {
  listeners.add(callback);
  return () => {
    listeners.delete(callback);
  };
}

/** Tells the parts of this page that notices were read. */
export function tellNoticesRead(): void {
  for (const listener of listeners) listener();
}
