'use client';

import { NameCell, NumberCell, TitleCell } from '@/components/insight/cells';
import { RowList } from '@/components/insight/row-list';
import { EmptyState } from '@/components/ui/empty-state';
import type { Difference } from '@/lib/trace/compare/compare-runs';
import type { Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { describeDifference } from './compare-words';

/** Lists the steps that differ, in the order in which they happened. */
export function DifferenceList(props: {
  readonly a: Trace;
  readonly b: Trace;
  readonly differences: readonly Difference[];
  /** The place of the chosen difference; -1 for none. */
  readonly chosen: number;
  readonly onChoose: (place: number) => void;
}) {
  const { a, b, differences, chosen, onChoose } = props;
  if (differences.length === 0) {
    return <EmptyState title="No step differs">Steps with other arguments or answers appear here.</EmptyState>;
  }
  return (
    <RowList
      label="Differences"
      count={differences.length}
      columns="grid-cols-[minmax(10rem,1fr)_minmax(7rem,11rem)_minmax(9rem,11rem)_4.75rem_4.75rem] px-3 gap-x-2"
      keyOf={(row) => row}
      marked={chosen}
      onPick={onChoose}
      header={
        <>
          <TitleCell left>Step</TitleCell>
          <TitleCell left>Instance</TitleCell>
          <TitleCell left>Difference</TitleCell>
          <TitleCell>At in A</TitleCell>
          <TitleCell>At in B</TitleCell>
        </>
      }
    >
      {(row) => {
        const one = differences[row];
        if (one === undefined) return null;
        const { title, kind, instance, words } = describeDifference(a, b, one);
        return (
          <>
            <NameCell name={title} note={kind} />
            <NameCell faint name={instance} />
            <NameCell name={words} />
            <NumberCell>{one.a === undefined ? '–' : formatDuration(a.spans.start.at(one.a))}</NumberCell>
            <NumberCell>{one.b === undefined ? '–' : formatDuration(b.spans.start.at(one.b))}</NumberCell>
          </>
        );
      }}
    </RowList>
  );
}
