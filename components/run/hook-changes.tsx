'use client';

import { useMemo, useState } from 'react';
import { NameCell, NumberCell, TitleCell } from '@/components/insight/cells';
import { RowList, rowPx } from '@/components/insight/row-list';
import { Button } from '@/components/ui/button';
import { type HookChange, listHookChanges } from '@/lib/client/hook-changes';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

/** Lists all calls that a hook changed: in this run, and on demand in all runs of the project. */
export function HookChanges(props: {
  readonly trace: Trace;
  readonly version: number;
  readonly span: number;
  readonly projectId: string | undefined;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, version, span, projectId, onSelect } = props;
  const hook = spanName(trace, span);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  const found = useMemo(() => changedBy(trace, span), [trace, version, span]);
  return (
    <section aria-label="Calls that this hook changed" className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">
        All calls this hook changed: {found.length.toLocaleString('en-US')} in this run
      </h3>
      {found.length > 0 && (
        <div className="overflow-hidden rounded border" style={{ height: Math.min(found.length, 8) * rowPx + 32 }}>
          <RowList
            label="Calls that this hook changed in this run"
            count={found.length}
            columns="grid-cols-[minmax(8rem,1fr)_minmax(6rem,1fr)_5rem_5rem] px-3 gap-x-2"
            keyOf={(row) => found[row] ?? row}
            marked={found.indexOf(span)}
            onPick={(row) => {
              const one = found[row];
              if (one !== undefined) onSelect(one);
            }}
            header={
              <>
                <TitleCell left>Call</TitleCell>
                <TitleCell left>Instance</TitleCell>
                <TitleCell>At</TitleCell>
                <TitleCell>Took</TitleCell>
              </>
            }
          >
            {(row) => {
              const one = found[row] ?? 0;
              const { start, end, parent, lane } = trace.spans;
              return (
                <>
                  <NameCell colour="bg-hook" name={spanName(trace, parent.at(one)) || hook} />
                  <NameCell faint name={trace.lanes[lane.at(one)]?.instanceName ?? ''} />
                  <NumberCell>{formatDuration(start.at(one))}</NumberCell>
                  <NumberCell>{formatDuration(end.at(one) - start.at(one))}</NumberCell>
                </>
              );
            }}
          </RowList>
        </div>
      )}
      {projectId !== undefined && <InOtherRuns key={hook} {...{ hook, projectId }} runId={trace.run.runId} />}
    </section>
  );
}

/** Returns the ended executions of the same hook in the same phase that changed something, of any agent. */
function changedBy(trace: Trace, span: number): readonly number[] {
  const { spans } = trace;
  const found: number[] = [];
  const [name, phase] = [spans.name.at(span), spanDetail(trace, span)];
  for (let i = 0; i < spans.length; i++) {
    if (spans.name.at(i) !== name || spans.kindOf(i) !== 'hook' || !spans.has(i, 'changed')) continue;
    if (spanDetail(trace, i) === phase) found.push(i);
  }
  return found;
}

interface Loaded {
  readonly changes: readonly HookChange[];
  readonly runs: number;
  readonly next: string | null;
}

function InOtherRuns({ hook, projectId, runId }: { hook: string; projectId: string; runId: string }) {
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const more = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const page = await listHookChanges(projectId, hook, loaded?.next ?? undefined);
      setLoaded({
        changes: [...(loaded?.changes ?? []), ...page.changes],
        runs: (loaded?.runs ?? 0) + page.runs,
        next: page.next,
      });
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The list could not be read.');
    }
    setBusy(false);
  };
  return (
    <div className="mt-2 text-xs">
      {loaded !== undefined && (
        <>
          <p className="pb-1 text-muted tabular-nums">
            {loaded.changes.length.toLocaleString('en-US')} {loaded.changes.length === 1 ? 'change' : 'changes'} in{' '}
            {loaded.next === null ? 'all runs' : `the newest ${loaded.runs} runs`} of this project
          </p>
          {loaded.changes.length > 0 && (
            <ol aria-label="Changes in all runs" className="max-h-64 overflow-auto rounded border">
              {loaded.changes.map((one) => (
                <li key={`${one.runId} ${one.seq}`} className="border-t first:border-t-0">
                  <a
                    href={`/r/${one.runId}?span=${one.startSeq}`}
                    className="flex items-center gap-2 px-2 py-1 hover:bg-hover focus-visible:-outline-offset-2"
                  >
                    <span className="min-w-0 flex-1 truncate font-mono text-2xs text-ink" title={one.line}>
                      {one.line}
                    </span>
                    <span className="max-w-2/5 shrink-0 truncate text-2xs text-muted">{one.path}</span>
                    <time
                      dateTime={new Date(one.at).toISOString()}
                      className="shrink-0 text-2xs text-faint tabular-nums"
                    >
                      {one.runId === runId ? 'this run' : new Date(one.at).toLocaleString('en-GB')}
                    </time>
                  </a>
                </li>
              ))}
            </ol>
          )}
        </>
      )}
      {loaded?.next !== null && (
        <Button size="sm" busy={busy} onClick={more} className="mt-1">
          {loaded === undefined ? 'Look in all runs of this project' : 'Show more'}
        </Button>
      )}
      <p aria-live="polite" className="text-bad empty:hidden">
        {fault}
      </p>
    </div>
  );
}
