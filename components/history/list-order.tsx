'use client';

import { ArrowDownWideNarrow, ArrowUpNarrowWide, Check, Columns3 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { Select } from '@/components/ui/select';
import { type RunSort, readSort, runSorts } from '@/lib/trace/run-sort';
import { type RunColumn, runColumns } from './run-columns';

const groups = 'groups';
const options = [
  { value: groups, label: 'Newest first, in groups' },
  ...Object.entries(runSorts).map(([value, label]) => ({ value, label })),
];

export interface ListOrderProps {
  /** `undefined` for groups, the newest first. */
  readonly sort: RunSort | undefined;
  readonly onSort: (sort: RunSort | undefined) => void;
  readonly columns: { readonly chosen: ReadonlySet<RunColumn>; readonly toggle: (id: RunColumn) => void };
}

/** Chooses what the list of runs is sorted by, and its columns. */
export function ListOrder({ sort, onSort, columns }: ListOrderProps) {
  return (
    <div className="ml-auto flex items-center gap-1">
      <Select
        size="sm"
        aria-label="Sort by"
        value={sort?.field ?? groups}
        options={options}
        onValueChange={(value) => onSort(readSort(`-${value}`))}
      />
      {sort !== undefined && (
        <IconButton
          label={sort.descending ? 'Highest first. Turn around' : 'Lowest first. Turn around'}
          icon={sort.descending ? <ArrowDownWideNarrow aria-hidden /> : <ArrowUpNarrowWide aria-hidden />}
          onClick={() => onSort({ ...sort, descending: !sort.descending })}
        />
      )}
      <span className="max-md:hidden">
        <Menu
          align="end"
          trigger={
            <Button size="sm" variant="ghost" icon={<Columns3 aria-hidden className="size-3.5" />}>
              Columns
            </Button>
          }
        >
          {(Object.keys(runColumns) as readonly RunColumn[]).map((id) => (
            <MenuItem
              key={id}
              icon={columns.chosen.has(id) ? <Check aria-hidden /> : <span className="size-4" />}
              onSelect={() => columns.toggle(id)}
            >
              {runColumns[id].label}
              <span className="sr-only">{columns.chosen.has(id) ? ', shown' : ', hidden'}</span>
            </MenuItem>
          ))}
        </Menu>
      </span>
    </div>
  );
}
