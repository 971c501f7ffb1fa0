'use client';

import type { Analysis } from '@/lib/trace/analysis/analyse';
import { spanTitle, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { NameCell, NumberCell, TitleCell } from './cells';
import { RowList } from './row-list';
import { kindColour } from './share-look';

const columns = 'grid-cols-[minmax(9rem,1fr)_minmax(8rem,14rem)_5.5rem_5.5rem_4rem] px-3 gap-x-2';

/** Lists the steps that took much longer than others of their kind. */
export function StragglerList(props: {
  readonly trace: Trace;
  readonly analysis: Analysis;
  readonly selected: number | undefined;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, analysis, selected, onSelect } = props;
  const { list } = analysis.stragglers;
  return (
    <RowList
      label="Stragglers"
      count={list.length}
      columns={columns}
      keyOf={(row) => list[row]?.span ?? row}
      marked={selected === undefined ? undefined : list.findIndex(({ span }) => span === selected)}
      onPick={(row) => {
        const span = list[row]?.span;
        if (span !== undefined) onSelect(span);
      }}
      header={
        <>
          <TitleCell left>Step</TitleCell>
          <TitleCell left>Instance</TitleCell>
          <TitleCell>Took</TitleCell>
          <TitleCell>Median</TitleCell>
          <TitleCell>Of</TitleCell>
        </>
      }
    >
      {(row) => {
        const one = list[row];
        if (one === undefined) return null;
        return (
          <>
            <NameCell colour={kindColour(trace.spans.kindOf(one.span))} name={spanTitle(trace, one.span)} />
            <NameCell faint name={trace.lanes[trace.spans.lane.at(one.span)]?.instanceName ?? ''} />
            <NumberCell strong>{formatDuration(one.duration)}</NumberCell>
            <NumberCell>{formatDuration(one.median)}</NumberCell>
            <NumberCell title="Steps of its kind">{one.of.toLocaleString('en-US')}</NumberCell>
          </>
        );
      }}
    </RowList>
  );
}
