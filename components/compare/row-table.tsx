'use client';

import { useMemo } from 'react';
import { NameCell, NumberCell, TitleCell } from '@/components/insight/cells';
import { RowList } from '@/components/insight/row-list';
import { SortTitle } from '@/components/insight/sort-title';
import type { ComparedRow } from '@/lib/trace/compare/compare-figures';
import { firstSort, type RowColumn, type RowSort, sortComparedRows } from '@/lib/trace/compare/sort-rows';
import { formatDuration } from '@/lib/trace/wording';
import { deltaCost, deltaCount, deltaTime } from './compare-words';

const columns =
  'grid-cols-[minmax(8rem,1fr)_4.25rem_4.25rem_4.75rem_4rem_4.5rem_3.25rem_3rem_3.5rem_5rem] px-3 gap-x-2';

const titles: readonly { readonly column: RowColumn; readonly word: string; readonly title: string }[] = [
  { column: 'time', word: 'Δ Time', title: 'The time of B minus that of A' },
  { column: 'tokens', word: 'Δ Tokens', title: 'The tokens of B minus those of A' },
  { column: 'cost', word: 'Δ Cost', title: 'The cost of B minus that of A, at list prices' },
  { column: 'models', word: 'Δ Model', title: 'The model calls of B minus those of A' },
  { column: 'tools', word: 'Δ Tool', title: 'The tool calls of B minus those of A' },
  { column: 'errors', word: 'Δ Errors', title: 'The errors of B minus those of A' },
  { column: 'differences', word: 'Differences', title: 'How many steps differ' },
];

export interface RowTableProps {
  readonly label: string;
  readonly rows: readonly ComparedRow[];
  readonly sort: RowSort;
  readonly onSort: (sort: RowSort) => void;
  /** The key of the row of what is selected. */
  readonly marked: string | undefined;
  readonly onPick: (row: ComparedRow) => void;
}

/** Lists pairs of instances or agents with what B took more or less than A. Every column sorts. */
export function RowTable({ label, rows, sort, onSort, marked, onPick }: RowTableProps) {
  const sorted = useMemo(() => sortComparedRows(rows, sort), [rows, sort]);
  const inOrder = sort.column === 'order' && !sort.descending;
  const sortOf = (column: RowColumn) => ({
    direction: sort.column !== column ? undefined : sort.descending ? ('descending' as const) : ('ascending' as const),
    onSort: () => onSort(nextSort(sort, column)),
  });
  return (
    <RowList
      label={label}
      count={sorted.length}
      columns={columns}
      keyOf={(row) => sorted[row]?.key ?? row}
      marked={marked === undefined ? undefined : sorted.findIndex(({ key }) => key === marked)}
      onPick={(at) => {
        const row = sorted[at];
        if (row !== undefined) onPick(row);
      }}
      header={
        <>
          <SortTitle word="Name" title="Name, or the order of the timelines" left {...sortOf('name')} />
          <TitleCell>A</TitleCell>
          <TitleCell>B</TitleCell>
          {titles.map(({ column, word, title }) => (
            <SortTitle key={column} word={word} title={title} {...sortOf(column)} />
          ))}
        </>
      }
    >
      {(at) => {
        const row = sorted[at];
        return row === undefined ? null : <Cells row={row} indent={inOrder ? row.depth : 0} />;
      }}
    </RowList>
  );
}

/** No name is moved further to the right than this many levels. */
const mostLevels = 8;

function Cells({ row, indent }: { readonly row: ComparedRow; readonly indent: number }) {
  const { name, a, b, delta, differences } = row;
  const only = a === undefined ? 'only in B' : b === undefined ? 'only in A' : '';
  return (
    <>
      <span role="presentation" className="flex min-w-0" style={{ paddingLeft: Math.min(indent, mostLevels) * 12 }}>
        <NameCell name={name} note={only} />
      </span>
      <NumberCell>{a === undefined ? '–' : formatDuration(a.time)}</NumberCell>
      <NumberCell>{b === undefined ? '–' : formatDuration(b.time)}</NumberCell>
      <NumberCell strong>{deltaTime(delta.time)}</NumberCell>
      <NumberCell>{deltaCount(delta.input + delta.output)}</NumberCell>
      <NumberCell>{deltaCost(delta.cost)}</NumberCell>
      <NumberCell>{deltaCount(delta.models)}</NumberCell>
      <NumberCell>{deltaCount(delta.tools)}</NumberCell>
      <NumberCell bad={delta.errors > 0}>{deltaCount(delta.errors)}</NumberCell>
      <NumberCell strong={differences > 0}>{differences === 0 ? '–' : differences}</NumberCell>
    </>
  );
}

/** A title that sorts. The third click on one leads back to the order of the timelines. */
function nextSort(sort: RowSort, column: RowColumn): RowSort {
  const first = firstSort(column);
  if (sort.column !== column) return first;
  return sort.descending === first.descending ? { column, descending: !first.descending } : firstSort('order');
}
