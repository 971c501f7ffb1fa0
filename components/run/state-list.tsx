'use client';

import { useMemo } from 'react';
import { EmptyState } from '@/components/ui/empty-state';
import type { EventCache } from '@/lib/client/event-cache';
import type { ShortEvent } from '@/lib/trace/short-event';
import { type StateValue, stateHistory } from '@/lib/trace/state-history';
import type { RunNote, Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { ArtifactList } from './artifact-list';
import { SpanLink } from './span-link';
import { useFetched } from './use-run';

/** At most this many changes are fetched at once. */
const mostChanges = 200;

export interface StateListProps {
  readonly trace: Trace;
  readonly version: number;
  readonly cache: EventCache<ShortEvent>;
  /** If set, only what this lane holds or wrote is shown. */
  readonly lane?: number;
  readonly onSelect: (span: number) => void;
}

/** Shows the state of the instances over time and who wrote it, then artifacts with their versions. */
export function StateList({ trace, version, cache, lane, onSelect }: StateListProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const notes = useMemo(
    () => trace.notes.filter((note) => isWritten(note) && (lane === undefined || concerns(note, lane))),
    [version, lane],
  );
  if (notes.length === 0) {
    return (
      <EmptyState title="Nothing was written">
        State that agents write, and files they save, appear here with who wrote them.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-5 p-3">
      <StateTables {...{ trace, notes, cache, lane, onSelect }} />
      <ArtifactList {...{ trace, notes, cache, onSelect }} />
      <Others {...{ trace, notes, onSelect }} />
    </div>
  );
}

/** True for changes of state, artifacts, conversations and agents. Decisions have marks of their own. */
export function isWritten(note: RunNote): boolean {
  return note.kind !== 'decision';
}

export function concerns(note: RunNote, lane: number): boolean {
  return note.lane === lane || (note.kind === 'state' && note.from === lane);
}

function StateTables(props: {
  readonly trace: Trace;
  readonly notes: readonly RunNote[];
  readonly cache: EventCache<ShortEvent>;
  readonly lane: number | undefined;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, notes, cache, onSelect } = props;
  const all = notes.filter((note) => note.kind === 'state');
  const changes = all.slice(-mostChanges);
  const holders = [...new Set(changes.map((note) => note.lane))].slice(0, 50);
  const starts = holders.map((index) => {
    const lane = index === undefined ? undefined : trace.lanes[index];
    return lane?.startedAt === undefined ? 0 : trace.spans.startSeq.at(lane.span);
  });
  const fetched = useFetched(cache, [...starts, ...changes.map((note) => note.seq)]);
  const events = fetched.flatMap((one) =>
    one !== undefined && one !== 'loading' && 'value' in one ? [one.value] : [],
  );
  if (all.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-medium text-2xs text-muted">State</h3>
      {changes.length < all.length && (
        <p className="text-muted text-xs">
          The last {changes.length} of {all.length.toLocaleString('en-US')} changes
        </p>
      )}
      {stateHistory(events).map(({ path, keys }) => (
        <div key={path} className="min-w-0 overflow-hidden rounded border">
          <SpanLink trace={trace} path={path} onSelect={onSelect} className="block w-full bg-ground px-2 py-1" />
          <dl>
            {keys.map(({ key, values }) => (
              <div key={key} className="border-t px-2 py-1.5">
                <dt className="break-all font-mono font-medium text-ink text-xs">{key}</dt>
                {values.map((value) => (
                  <dd key={value.seq} className="flex flex-wrap items-baseline gap-x-2 py-0.5 text-xs">
                    <Value value={value} isLast={value === values.at(-1)} />
                    <span className="text-2xs text-muted tabular-nums">
                      {trace.origin !== undefined && formatDuration((value.at - trace.origin) * 1000)}
                      {value.by === undefined && ' · at the start'}
                    </span>
                    {value.by !== undefined && value.by !== path && (
                      <SpanLink trace={trace} path={value.by} onSelect={onSelect} className="max-w-full" />
                    )}
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  );
}

function Value({ value, isLast }: { readonly value: StateValue; readonly isLast: boolean }) {
  const text = typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
  const kept = value.outcome === 'committed';
  return (
    <>
      <span
        className={`min-w-0 max-w-full break-words font-mono ${kept ? (isLast ? 'text-ink' : 'text-muted') : 'text-muted line-through'}`}
      >
        {text.length > 400 ? `${text.slice(0, 400)}…` : text}
      </span>
      {value.outcome === 'refused' && <span className="text-bad">refused{value.reason && `: ${value.reason}`}</span>}
      {value.outcome === 'discarded' && <span className="text-warn">discarded: the delegation isolates state</span>}
    </>
  );
}

function Others(props: {
  readonly trace: Trace;
  readonly notes: readonly RunNote[];
  readonly onSelect: (span: number) => void;
}) {
  const { trace, notes, onSelect } = props;
  const rows = notes.flatMap((note) => {
    const words = wordsOf(note);
    return words === undefined ? [] : [{ note, words }];
  });
  if (rows.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-medium text-2xs text-muted">Also</h3>
      <ul className="flex flex-col gap-1 text-xs">
        {rows.slice(0, mostChanges).map(({ note, words }) => (
          <li key={note.seq} className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 break-words text-ink">{words}</span>
            <span className="text-2xs text-muted tabular-nums">{formatDuration(note.at)}</span>
            {note.lane !== undefined && (
              <SpanLink
                trace={trace}
                path={trace.lanes[note.lane]?.path ?? ''}
                onSelect={onSelect}
                className="max-w-full"
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function wordsOf(note: RunNote): string | undefined {
  switch (note.kind) {
    case 'history':
      return note.target === 'child'
        ? `The messages are kept in the template of ${note.agentName}`
        : `What ${note.agentName} said went into its parent's history`;
    case 'agent':
      return `Made the agent ${note.name} for the rest of the run`;
    case 'groups':
      return `Activated ${note.groups.length === 1 ? 'the tool group' : 'the tool groups'} ${note.groups.join(', ')}`;
    case 'decision':
    case 'state':
    case 'artifact':
      return undefined;
  }
}
