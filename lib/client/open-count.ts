import type { Check } from '@/lib/base/check';
import { isRecord } from '@/lib/base/json';
import { getChecked } from './ask';

const hasOpen: Check<{ readonly open: number }> = (value): value is { readonly open: number } =>
  isRecord(value) && typeof value.open === 'number';

/** Returns how many questions to people are open. Every page asks, so it needs no schemas. Rejects with a `RequestError`. */
export async function readOpenCount(signal?: AbortSignal): Promise<number> {
  return (await getChecked('/api/v1/pending?limit=1', hasOpen, signal)).open;
}

const listeners = new Set<() => void>();

/** Runs `callback` when this page has answered a question. Returns an unsubscribe function. */
export function onAnswered(callback: () => void): () => void {
  listeners.add(callback);
  return () => {
    listeners.delete(callback);
  };
}

/** Tells the parts of this page that a question was answered. */
export function tellAnswered(): void {
  for (const listener of listeners) listener();
}
