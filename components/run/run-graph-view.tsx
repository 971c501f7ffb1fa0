'use client';

import { useMemo } from 'react';
import { kindLook } from '@/components/canvas/kind-icon';
import { classNames } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusLabel } from '@/components/ui/status';
import type { Picture } from '@/lib/graph/picture';
import type { Trace } from '@/lib/trace/trace';
import { type RunBox, runGraph } from './run-graph';
import type { LoadedPicture } from './use-run-picture';

interface RunGraphProps {
  readonly loaded: LoadedPicture;
  readonly trace: Trace;
  readonly version: number;
  readonly onSelect: (span: number) => void;
}

/** The graph as it was when the run started, with what each agent did, and dashed the agents made on the way. */
export function RunGraph({ loaded, ...rest }: RunGraphProps) {
  if (loaded === undefined) {
    return (
      <p role="status" className="p-3 text-muted text-sm">
        Loading the graph
      </p>
    );
  }
  if ('error' in loaded) return <EmptyState title="The graph could not be loaded">{loaded.error}</EmptyState>;
  return <Drawing picture={loaded.picture} {...rest} />;
}

function Drawing(props: Omit<RunGraphProps, 'loaded'> & { readonly picture: Picture }) {
  const { picture, trace, version, onSelect } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const { boxes, lines, width, height } = useMemo(() => runGraph(picture, trace), [picture, trace, version]);
  if (boxes.length === 0)
    return <EmptyState title="No graph">The folder had no agent when the run started.</EmptyState>;
  const created = boxes.filter((box) => box.created).length;
  return (
    <div className="flex h-full min-h-0 flex-col">
      {created > 0 && (
        <p className="shrink-0 px-3 pt-2 text-muted text-xs">
          Dashed: {created === 1 ? 'an agent' : `${created} agents`} made during this run
        </p>
      )}
      <div className="relative min-h-0 flex-1 overflow-auto max-md:max-h-96">
        <div className="relative" style={{ width, height }}>
          <svg aria-hidden width={width} height={height} className="absolute inset-0 fill-none">
            <defs>
              <marker
                id="run-graph-arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M1 1 7 4 1 7" className="fill-none" stroke="context-stroke" />
              </marker>
            </defs>
            {lines.map((line) => (
              <path
                key={line.id}
                d={line.path}
                stroke={line.dashed ? 'var(--agent)' : line.faint ? 'var(--line-strong)' : 'var(--faint)'}
                strokeWidth={line.faint ? 1 : 1.25}
                strokeDasharray={line.dashed ? '5 4' : undefined}
                markerEnd="url(#run-graph-arrow)"
              />
            ))}
          </svg>
          <ul aria-label="Graph of this run">
            {boxes.map((box) => (
              <li
                key={box.id}
                className="absolute"
                style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
              >
                <Node box={box} onSelect={onSelect} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}

function Node({ box, onSelect }: { readonly box: RunBox; readonly onSelect: (span: number) => void }) {
  const { span } = box;
  const look = classNames(
    'flex size-full items-center gap-2 rounded-md border bg-surface px-2 text-left',
    box.created || box.missing ? 'border-dashed' : 'border-solid',
    box.created ? 'border-agent' : 'border-line-strong',
  );
  if (span === undefined) {
    return (
      <div className={look} title={titleOf(box)}>
        <Inside box={box} />
      </div>
    );
  }
  return (
    <button
      type="button"
      onClick={() => onSelect(span)}
      title={titleOf(box)}
      className={classNames(look, 'cursor-pointer hover:bg-hover')}
    >
      <Inside box={box} />
    </button>
  );
}

function Inside({ box }: { readonly box: RunBox }) {
  const { Icon, tone } = kindLook(box);
  return (
    <>
      <span aria-hidden className={classNames('flex size-5 shrink-0 items-center justify-center rounded-sm', tone)}>
        <Icon className="size-3.5" />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium text-ink text-xs">{box.name}</span>
        {box.kind === 'agent' && (
          <span className="flex items-center gap-1.5 text-2xs text-muted tabular-nums">
            {box.status === undefined ? 'Not run' : <StatusLabel status={box.status} look="plain" />}
            {box.instances > 1 && (
              <span>{box.alike < box.instances ? `${box.alike} of ${box.instances}` : `× ${box.instances}`}</span>
            )}
          </span>
        )}
        {box.created && <span className="sr-only">{madeBy(box)}</span>}
      </span>
    </>
  );
}

function titleOf(box: RunBox): string {
  const parts = [box.name];
  if (box.created) parts.push(madeBy(box));
  if (box.missing) parts.push('not in the folder');
  if (box.kind === 'agent') parts.push(box.counts === '' ? 'not run' : box.counts);
  return parts.join(' · ');
}

function madeBy(box: RunBox): string {
  return box.creator === undefined ? 'made during this run' : `made by ${box.creator} during this run`;
}
