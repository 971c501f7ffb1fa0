'use client';

import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { later, useEver } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import type { SavedFiltersProps } from './saved-filter';

const SavedFilterItems = later(
  async () => (await import('./saved-filter-items')).SavedFilterItems,
  ({ trigger }) => trigger,
);
const SavedFilterDialogs = later(async () => (await import('./saved-filter-dialogs')).SavedFilterDialogs, null);

/** Lists filters that were saved under a name, for all who use this Callboard, and saves the one in use. */
export function SavedFilters({ saved, query, onOpen, onSave, onDelete }: SavedFiltersProps) {
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const wasAsked = useEver(dialog !== undefined);
  const current = saved.find((filter) => filter.query === query);
  const button = (
    <Button icon={<Bookmark aria-hidden className="size-4" />}>
      <span className="max-w-40 truncate">{current?.name ?? 'Saved filters'}</span>
    </Button>
  );
  return (
    <>
      <LaterMenu button={button} load={SavedFilterItems.load}>
        {(trigger) => <SavedFilterItems {...{ saved, query, onOpen, trigger }} onDialog={setDialog} />}
      </LaterMenu>
      {wasAsked && <SavedFilterDialogs {...{ dialog, saved, onSave, onDelete }} onClose={() => setDialog(undefined)} />}
    </>
  );
}
