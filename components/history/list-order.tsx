'use client';

import { ArrowDownWideNarrow, ArrowUpNarrowWide, Columns3 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import { PlainSelect } from '@/components/ui/plain-select';
import { type RunSort, readSort, runSorts } from '@/lib/trace/run-sort';
import type { ColumnChoice } from './column-items';

const ColumnItems = later(
  async () => (await import('./column-items')).ColumnItems,
  ({ trigger }) => trigger,
);

const groups = 'groups';
const options = [
  { value: groups, label: 'Newest first, in groups' },
  ...Object.entries(runSorts).map(([value, label]) => ({ value, label })),
];

export interface ListOrderProps {
  /** `undefined` for groups, the newest first. */
  readonly sort: RunSort | undefined;
  readonly onSort: (sort: RunSort | undefined) => void;
  readonly columns: ColumnChoice;
}

/** Chooses what the list of runs is sorted by, and its columns. */
export function ListOrder({ sort, onSort, columns }: ListOrderProps) {
  return (
    <div className="ml-auto flex items-center gap-1">
      <PlainSelect
        label="Sort by"
        value={sort?.field ?? groups}
        options={options}
        onChange={(value) => onSort(readSort(`-${value}`))}
      />
      {sort !== undefined && (
        <IconButton
          label={sort.descending ? 'Highest first. Turn around' : 'Lowest first. Turn around'}
          icon={sort.descending ? <ArrowDownWideNarrow aria-hidden /> : <ArrowUpNarrowWide aria-hidden />}
          onClick={() => onSort({ ...sort, descending: !sort.descending })}
        />
      )}
      <span className="max-md:hidden">
        <LaterMenu
          button={
            <Button size="sm" variant="ghost" icon={<Columns3 aria-hidden className="size-3.5" />}>
              Columns
            </Button>
          }
          load={ColumnItems.load}
        >
          {(trigger) => <ColumnItems {...columns} trigger={trigger} />}
        </LaterMenu>
      </span>
    </div>
  );
}
