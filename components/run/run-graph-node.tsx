import { Unplug } from 'lucide-react';
import { kindLook } from '@/components/marks/kind-icon';
import { classNames } from '@/components/ui/class-names';
import { StatusLabel } from '@/components/ui/status';
import { failedWords } from '@/lib/trace/failed-words';
import type { RunBox } from './run-graph';

export interface RunGraphNodeProps {
  readonly box: RunBox;
  /** Selects an instance by its lane. */
  readonly onOpen: (lane: number) => void;
  /** True while the run may still change. */
  readonly open: boolean;
}

/** Draws an agent with the work of its instances, or something that agents use. */
export function RunGraphNode({ box, onOpen, open }: RunGraphNodeProps) {
  const { lane } = box;
  const look = classNames(
    'flex size-full items-center gap-2 rounded-md border bg-surface px-2 text-left',
    box.created || box.missing ? 'border-dashed' : 'border-solid',
    box.status === 'suspended'
      ? 'border-warn ring-2 ring-warn-soft'
      : box.live > 0
        ? 'border-busy ring-2 ring-busy-soft'
        : box.created
          ? 'border-agent'
          : 'border-line-strong',
  );
  const title = titleOf(box, open);
  if (lane === undefined) {
    return (
      <div className={look} title={title}>
        <Inside {...{ box, open }} />
      </div>
    );
  }
  return (
    <button
      type="button"
      onClick={() => onOpen(lane)}
      title={title}
      className={classNames(look, 'cursor-pointer hover:bg-hover')}
    >
      <Inside {...{ box, open }} />
    </button>
  );
}

function Inside({ box, open }: Omit<RunGraphNodeProps, 'onOpen'>) {
  const { Icon, tone } = kindLook(box);
  return (
    <>
      <span aria-hidden className={classNames('flex size-5 shrink-0 items-center justify-center rounded-sm', tone)}>
        <Icon className="size-3.5" />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium text-ink text-xs">{box.name}</span>
        {box.kind === 'agent' && <What box={box} open={open} />}
        {box.calls > 0 && <span className="truncate text-2xs text-muted tabular-nums">{callWords(box)}</span>}
        {box.created && <span className="sr-only">{madeBy(box)}</span>}
        {box.chosenBy.length > 0 && <span className="sr-only">{chosenBy(box)}</span>}
      </span>
      {box.failedStarts.length > 0 && (
        <span className="shrink-0 rounded-sm bg-bad-soft p-0.5 text-bad">
          <Unplug aria-hidden className="size-3" />
          <span className="sr-only">{failedWords(box.failedStarts)}</span>
        </span>
      )}
    </>
  );
}

function What({ box, open }: Pick<RunGraphNodeProps, 'box' | 'open'>) {
  const { status, instances, counts } = box;
  const mixed = counts.includes(',');
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-2xs text-muted tabular-nums">
      {status === undefined ? notRun(open) : <StatusLabel status={status} look={mixed ? 'icon' : 'plain'} />}
      {mixed ? <span className="truncate">{counts}</span> : instances > 1 && <span>× {instances}</span>}
    </span>
  );
}

function callWords({ calls, live }: Pick<RunBox, 'calls' | 'live'>): string {
  const all = calls === 1 ? '1 call' : `${calls} calls`;
  return live > 0 ? `${all}, ${live} running` : all;
}

function notRun(open: boolean): string {
  return open ? 'Not yet' : 'Not run';
}

function titleOf(box: RunBox, open: boolean): string {
  const parts = [box.name];
  if (box.created) parts.push(madeBy(box));
  if (box.missing) parts.push('not in the folder');
  if (box.kind === 'agent') parts.push(box.counts === '' ? notRun(open).toLowerCase() : box.counts);
  if (box.chosenBy.length > 0) parts.push(chosenBy(box));
  return [parts.join(' · '), ...new Set(box.failedStarts)].join('\n');
}

function madeBy(box: RunBox): string {
  return box.creator === undefined ? 'made during this run' : `made by ${box.creator} during this run`;
}

function chosenBy(box: RunBox): string {
  return `chosen by ${box.chosenBy.join(', ')}`;
}
