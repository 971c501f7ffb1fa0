'use client';

import type { ReactNode } from 'react';
import { Menu, MenuItem } from '@/components/ui/menu';

interface ExportRunsItemsProps {
  /** Query text of the filter. */
  readonly query: string;
  readonly trigger: ReactNode;
}

/** The files that a list of runs can be saved as, as a menu. It is loaded for its button, so it is open when mounted. */
export function ExportRunsItems({ query, trigger }: ExportRunsItemsProps) {
  const address = (format: string) => `/api/v1/runs/export?${query === '' ? '' : `${query}&`}format=${format}`;
  return (
    <Menu defaultOpen align="end" trigger={trigger}>
      <MenuItem href={address('csv')} download>
        All that match, as CSV
      </MenuItem>
      <MenuItem href={address('json')} download>
        All that match, as JSON
      </MenuItem>
    </Menu>
  );
}
