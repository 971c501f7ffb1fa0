'use client';

import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem } from '@/components/ui/menu';
import { type RunColumn, runColumns } from './run-columns';

export interface ColumnChoice {
  readonly chosen: ReadonlySet<RunColumn>;
  readonly toggle: (id: RunColumn) => void;
}

interface ColumnItemsProps extends ColumnChoice {
  readonly trigger: ReactNode;
}

/** The columns of the list of runs as a menu. It is loaded for its button, so it is open when mounted. */
export function ColumnItems({ chosen, toggle, trigger }: ColumnItemsProps) {
  return (
    <Menu defaultOpen align="end" trigger={trigger}>
      {(Object.keys(runColumns) as readonly RunColumn[]).map((id) => (
        <MenuItem
          key={id}
          icon={chosen.has(id) ? <Check aria-hidden /> : <span className="size-4" />}
          onSelect={() => toggle(id)}
        >
          {runColumns[id].label}
          <span className="sr-only">{chosen.has(id) ? ', shown' : ', hidden'}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
