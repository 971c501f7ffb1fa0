'use client';

import { useState } from 'react';
import { CommandFrame, commandLooks } from '@/components/ui/command-frame';
import { later } from '@/components/ui/later';

/** The list is loaded when nothing else is to do. A field takes what is typed before that. */
export const FindList = later(
  async () => (await import('./find-body')).FindBody,
  ({ query, onQuery }) => (
    <input
      aria-label="Find in the project"
      value={query}
      onChange={(event) => onQuery(event.currentTarget.value)}
      className={commandLooks.field}
    />
  ),
);

/** Finds a text in names, prompts, settings and code of the project. */
export function FindDialog(props: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) {
  // The text stays when the list is closed, so that the next match can be chosen.
  const [query, setQuery] = useState('');
  return (
    <CommandFrame title="Find in the project" {...props}>
      <FindList query={query} onQuery={setQuery} onDone={() => props.onOpenChange(false)} />
    </CommandFrame>
  );
}
