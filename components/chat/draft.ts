import { useCallback, useSyncExternalStore } from 'react';
import type { ChosenFile } from '@/lib/client/message-files';

/** A message that was not sent yet. */
export interface Draft {
  readonly text: string;
  readonly files: readonly ChosenFile[];
}

const empty: Draft = { text: '', files: [] };
/** Files are kept while the page is open; the text is also kept when the page is loaded again. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();
const nameOf = (key: string) => `callboard.draft.${key}`;

function read(key: string): Draft {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  let text: string | null = null;
  try {
    text = window.sessionStorage.getItem(nameOf(key));
  } catch {
    // Without storage the text lasts until the page is closed.
  }
  const found = text === null ? empty : { text, files: [] };
  drafts.set(key, found);
  return found;
}

function write(key: string, draft: Draft): void {
  drafts.set(key, draft);
  try {
    if (draft.text === '') window.sessionStorage.removeItem(nameOf(key));
    else window.sessionStorage.setItem(nameOf(key), draft.text);
  } catch {
    // The same: the map has it.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Gives what was typed before a conversation had an id to the conversation. */
export function moveDraft(from: string, to: string): void {
  write(to, read(from));
  write(from, empty);
}

/** Keeps what a person types for one conversation, over other pages and a reload. */
export function useDraft(key: string): readonly [Draft, (change: (draft: Draft) => Partial<Draft>) => void] {
  const draft = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => empty,
  );
  const change = useCallback(
    (part: (draft: Draft) => Partial<Draft>) => write(key, { ...read(key), ...part(read(key)) }),
    [key],
  );
  return [draft, change];
}
