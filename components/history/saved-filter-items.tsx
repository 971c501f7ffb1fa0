'use client';

import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import type { SavedFiltersProps } from './saved-filter';

interface SavedFilterItemsProps extends Pick<SavedFiltersProps, 'saved' | 'query' | 'onOpen'> {
  readonly trigger: ReactNode;
  readonly onDialog: (dialog: 'save' | 'manage') => void;
}

/** The saved filters as a menu. It is loaded for its button, so it is open when mounted. */
export function SavedFilterItems({ saved, query, onOpen, trigger, onDialog }: SavedFilterItemsProps) {
  return (
    <Menu defaultOpen align="end" trigger={trigger}>
      {saved.map((filter) => (
        <MenuItem key={filter.name} onSelect={() => onOpen(filter.query)}>
          {filter.name}
        </MenuItem>
      ))}
      {saved.length > 0 && <MenuSeparator />}
      <MenuItem disabled={query === ''} onSelect={() => onDialog('save')}>
        Save this filter…
      </MenuItem>
      {saved.length > 0 && <MenuItem onSelect={() => onDialog('manage')}>Delete saved filters…</MenuItem>}
    </Menu>
  );
}
