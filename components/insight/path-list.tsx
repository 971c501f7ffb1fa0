'use client';

import type { Analysis, PathStep } from '@/lib/trace/analysis/analyse';
import { spanTitle, type Trace } from '@/lib/trace/trace';
import { formatDuration, formatShare } from '@/lib/trace/wording';
import { NameCell, NumberCell, TitleCell } from './cells';
import { RowList } from './row-list';
import { shareLooks } from './share-look';

const columns = 'grid-cols-[minmax(9rem,1fr)_minmax(8rem,14rem)_5.5rem_5.5rem_4rem] px-3 gap-x-2';

/** Lists the steps of the critical path in order of time. */
export function PathList(props: {
  readonly trace: Trace;
  readonly analysis: Analysis;
  readonly selected: number | undefined;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, analysis, selected, onSelect } = props;
  const { path, length, from: begin } = analysis;
  return (
    <RowList
      label="Critical path"
      count={path.length}
      columns={columns}
      keyOf={(row) => row}
      marked={selected === undefined ? undefined : path.findIndex(({ span }) => span === selected)}
      onPick={(row) => {
        const span = path[row]?.span;
        if (span !== undefined) onSelect(span);
      }}
      header={
        <>
          <TitleCell left>Step</TitleCell>
          <TitleCell left>Instance</TitleCell>
          <TitleCell>From</TitleCell>
          <TitleCell>Takes</TitleCell>
          <TitleCell>Share</TitleCell>
        </>
      }
    >
      {(row) => {
        const step = path[row];
        if (step === undefined) return null;
        const { span, from, to } = step;
        return (
          <>
            <NameCell colour={shareLooks[step.activity ?? 'idle'].colour} name={stepName(trace, step)} />
            <NameCell
              faint
              name={span === undefined ? '' : (trace.lanes[trace.spans.lane.at(span)]?.instanceName ?? '')}
            />
            <NumberCell>{formatDuration(begin + from)}</NumberCell>
            <NumberCell strong>{formatDuration(to - from)}</NumberCell>
            <NumberCell>{formatShare(to - from, length)}</NumberCell>
          </>
        );
      }}
    </RowList>
  );
}

/** Says what the run did in a step. An instance's own time and a wait are not the name of the instance. */
function stepName(trace: Trace, { span, activity }: PathStep): string {
  if (span === undefined) return 'No instance was open';
  const name = spanTitle(trace, span);
  if (activity === 'person') return `A person was asked: ${name}`;
  if (activity === 'wait') return `${name} waits for a permit`;
  return activity === 'agent' ? `${name}: between its steps` : name;
}
