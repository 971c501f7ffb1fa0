'use client';

import { useMemo, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { tokens } from '@/lib/runtime/record/messages';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import { sortedRows, type TableColumn, type TableRow, tableRows } from '@/lib/trace/analysis/table-rows';
import type { TotalKind } from '@/lib/trace/analysis/totals';
import { formatCost } from '@/lib/trace/cost';
import type { Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { NameCell, NumberCell } from './cells';
import { RowList } from './row-list';
import { SortTitle } from './sort-title';

/** Beside a history on a page of 1440 px the narrow columns need no sideways scroll. */
const columns = classNames(
  'grid-cols-[minmax(6rem,1fr)_2.75rem_repeat(5,3.6rem)_2.75rem_2.75rem_5.25rem_2.75rem] gap-x-1 px-2',
  '@min-[62rem]:grid-cols-[minmax(11rem,1fr)_3.5rem_repeat(5,4.75rem)_4rem_4rem_5.5rem_3.5rem] @min-[62rem]:gap-x-2 @min-[62rem]:px-3',
);

const titles: readonly { readonly column: TableColumn; readonly word: string; readonly title: string }[] = [
  { column: 'name', word: 'Name', title: 'Name' },
  { column: 'count', word: 'Count', title: 'How often' },
  { column: 'own', word: 'Own', title: 'Time without what was called or wrapped' },
  { column: 'total', word: 'Total', title: 'The sum of all durations' },
  { column: 'p50', word: 'p50', title: 'Half of them took no longer than this' },
  { column: 'p95', word: 'p95', title: '95 % of them took no longer than this' },
  { column: 'max', word: 'Max', title: 'The longest' },
  { column: 'input', word: 'In', title: 'Input tokens' },
  { column: 'output', word: 'Out', title: 'Output tokens' },
  { column: 'cost', word: 'Cost', title: 'Cost at list prices' },
  { column: 'failed', word: 'Failed', title: 'How many of them failed or timed out' },
];

/** Shows durations, tokens, cost and errors of each template, instance, tool, hook or model. Every column sorts. */
export function TotalsTable(props: {
  readonly trace: Trace;
  readonly version: number;
  readonly analysis: Analysis;
  readonly kind: TotalKind;
  readonly selected: number | undefined;
  /** Called with all spans of a row, and the one of them that took longest. */
  readonly onPick: (spans: ReadonlySet<number>, slowest: number | undefined) => void;
}) {
  const { trace, version, analysis, kind, selected, onPick } = props;
  const [sort, setSort] = useState<{ column: TableColumn; direction: 'ascending' | 'descending' }>({
    column: 'total',
    direction: 'descending',
  });
  const table = analysis.totals[kind];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const rows = useMemo(
    () => sortedRows(tableRows(trace, kind, table), sort.column, sort.direction),
    [trace, version, kind, table, sort],
  );
  const marked = useMemo(() => {
    const index = selected === undefined ? -1 : (table.rowOf[selected] ?? -1);
    return index < 0 ? undefined : rows.findIndex((row) => row.index === index);
  }, [rows, table, selected]);
  return (
    <RowList
      label={`Totals by ${kind}`}
      count={rows.length}
      columns={columns}
      keyOf={(row) => rows[row]?.key ?? row}
      marked={marked}
      onPick={(at) => {
        const row = rows[at];
        if (row !== undefined) onPick(spansOfRow(table.rowOf, row.index), row.slowest < 0 ? undefined : row.slowest);
      }}
      header={titles.map(({ column, word, title }) => (
        <SortTitle
          key={column}
          {...{ word, title }}
          left={column === 'name'}
          direction={sort.column === column ? sort.direction : undefined}
          onSort={() => setSort({ column, direction: nextDirection(sort, column) })}
        />
      ))}
    >
      {(at) => {
        const row = rows[at];
        return row === undefined ? null : <Cells row={row} />;
      }}
    </RowList>
  );
}

function nextDirection(
  sort: { readonly column: TableColumn; readonly direction: 'ascending' | 'descending' },
  column: TableColumn,
): 'ascending' | 'descending' {
  if (sort.column === column) return sort.direction === 'ascending' ? 'descending' : 'ascending';
  return column === 'name' ? 'ascending' : 'descending';
}

function spansOfRow(rowOf: Int32Array, row: number): ReadonlySet<number> {
  const spans = new Set<number>();
  for (let span = 0; span < rowOf.length; span++) if (rowOf[span] === row) spans.add(span);
  return spans;
}

function Cells({ row }: { readonly row: TableRow }) {
  const { name, note, count, own, total, p50, p95, max, usage, cost, failed } = row;
  const used = usage !== undefined && usage.modelCalls > 0;
  return (
    <>
      <NameCell name={name} note={note} />
      <NumberCell>{formatCount(count)}</NumberCell>
      <NumberCell strong>{formatDuration(own)}</NumberCell>
      {[total, p50, p95, max].map((time, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four fixed places
        <NumberCell key={i}>{formatDuration(time)}</NumberCell>
      ))}
      <NumberCell>{used ? formatCount(usage.inputTokens) : '–'}</NumberCell>
      <NumberCell>{used ? formatCount(usage.outputTokens) : '–'}</NumberCell>
      <NumberCell title={cost && cost.unpriced.length > 0 ? `No price is known for ${cost.unpriced.join(', ')}` : ''}>
        {used && cost !== undefined && tokens(usage) > 0 ? formatCost(cost) : '–'}
      </NumberCell>
      <NumberCell bad={failed > 0}>{failed === 0 ? '–' : formatCount(failed)}</NumberCell>
    </>
  );
}
