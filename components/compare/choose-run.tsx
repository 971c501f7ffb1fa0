'use client';

import { FileStack, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWhyNot } from '@/components/access/access-context';
import { type ApprovalServices, type StartFault, StartFaultText } from '@/components/commands/ask-approval';
import { SourceBadge } from '@/components/run/source-badge';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { StatusLabel } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { type RunInfo, type RunPage, runDuration } from '@/lib/client/run-info';
import { listRuns } from '@/lib/client/runs';
import { formatDuration } from '@/lib/trace/wording';

export interface ChooseRunProps {
  /** The run that the chosen one is compared with. */
  readonly beside: RunInfo;
  readonly onChoose: (run: string) => void;
  /**
   * Starts a run on the input of `beside`, with the files of the project now or of another run. Resolves to a sentence if that
   * failed.
   */
  readonly onStart: (files: string | undefined) => Promise<StartFault | undefined>;
  /** Asks administrators for what the files of the project start. */
  readonly approval: ApprovalServices;
}

/** Offers runs that there are, those of the project first, and to people who may start runs a new one on the same input. */
export function ChooseRun({ beside, onChoose, onStart, approval }: ChooseRunProps) {
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<StartFault | undefined>(undefined);
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const refusal = useWhyNot('run.start');
  const start = async (files: string | undefined) => {
    setAsked(files);
    setBusy(files ?? 'draft');
    setFault(await onStart(files));
    setBusy(undefined);
  };
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <section aria-label="Run again on the same input" className="flex flex-col items-start gap-1.5">
        {refusal === undefined && (
          <Button
            variant="primary"
            busy={busy === 'draft'}
            icon={<Play aria-hidden className="size-4" />}
            onClick={() => void start(undefined)}
          >
            Run the current draft on this input
          </Button>
        )}
        <p className="text-muted text-xs">
          {refusal ??
            `Starts a run of ${beside.projectName} with its files as they are now, and shows it beside this one while it works.`}
        </p>
        <StartFaultText fault={fault} services={approval} onApproved={() => void start(asked)} className="text-xs" />
      </section>
      <RunChoices
        {...{ beside, onChoose, busy }}
        onStart={refusal === undefined ? (run) => void start(run) : undefined}
      />
    </div>
  );
}

const settleMs = 250;

function RunChoices(props: {
  readonly beside: RunInfo;
  readonly onChoose: (run: string) => void;
  /** `undefined` for people who may not start runs. */
  readonly onStart: ((run: string) => void) | undefined;
  readonly busy: string | undefined;
}) {
  const { beside, onChoose, onStart, busy } = props;
  const [text, setText] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  const { runs, hasMore, error, more } = useRuns(text, everywhere ? undefined : beside.projectId);
  const others = runs?.filter(({ id }) => id !== beside.id);
  return (
    <section aria-label="Runs to compare with" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          aria-label="Text in messages and results"
          placeholder="Text in messages and results"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-w-72 flex-1"
        />
        <Button size="sm" aria-pressed={everywhere} onClick={() => setEverywhere(!everywhere)}>
          {everywhere ? 'Only this project' : 'All projects'}
        </Button>
      </div>
      {error !== undefined && <p className="text-bad text-xs">{error}</p>}
      {others?.length === 0 && (
        <p className="text-muted text-sm">{hasMore ? 'None of the newest runs matches.' : 'There is no other run.'}</p>
      )}
      {others !== undefined && others.length > 0 && (
        <ul className="overflow-hidden rounded-lg border bg-surface">
          {others.map((run) => (
            <li
              key={run.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-2 py-1.5 last:border-b-0"
            >
              <Row run={run} />
              <span className="ml-auto flex flex-wrap gap-2">
                {onStart !== undefined &&
                  run.treeHash !== beside.treeHash &&
                  run.projectId === beside.projectId &&
                  run.source === beside.source && (
                    <Button
                      size="sm"
                      variant="ghost"
                      busy={busy === run.id}
                      icon={<FileStack aria-hidden className="size-3.5" />}
                      title="Starts a run with the files of that run on the input of this one"
                      onClick={() => onStart(run.id)}
                    >
                      Run its files
                    </Button>
                  )}
                <Button size="sm" onClick={() => onChoose(run.id)}>
                  Compare
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {hasMore && (
        <Button size="sm" className="self-start" onClick={more}>
          Show more
        </Button>
      )}
    </section>
  );
}

function Row({ run }: { readonly run: RunInfo }) {
  const duration = runDuration(run, run.finishedAt ?? run.startedAt ?? 0);
  return (
    <span className="flex min-w-0 flex-1 basis-64 items-center gap-2 text-xs">
      <StatusLabel status={run.status} look="icon" />
      <span className="shrink-0 font-medium text-ink">{run.entryAgent ?? 'Entry agent'}</span>
      <SourceBadge source={run.source} />
      <span className="min-w-0 flex-1 truncate text-muted" title={run.message}>
        {run.message}
      </span>
      <span className="shrink-0 font-mono text-2xs text-muted" title="The files that it was started with">
        {run.treeHash.slice(0, 8)}
      </span>
      <span className="shrink-0 text-muted tabular-nums max-sm:hidden">
        {duration === undefined || run.finishedAt === undefined ? '–' : formatDuration(duration)}
      </span>
      <span className="shrink-0 text-muted">
        <TimeAgo at={run.createdAt} />
      </span>
    </span>
  );
}

/** Lists runs, newest first, a page at a time. */
function useRuns(text: string, projectId: string | undefined) {
  const query = new URLSearchParams({
    ...(projectId !== undefined && { project: projectId }),
    ...(text.trim() !== '' && { text: text.trim() }),
  }).toString();
  const [found, setFound] = useState<{ query: string; runs: readonly RunInfo[]; next: string | null }>();
  const [error, setError] = useState<string | undefined>(undefined);
  const load = async (before: readonly RunInfo[], after: string | undefined, isCurrent: () => boolean) => {
    try {
      const page = await listRuns(query, after);
      if (isCurrent()) setFound({ query, runs: [...before, ...runsOf(page)], next: page.next });
      setError(undefined);
    } catch (failure) {
      if (isCurrent()) setError(failure instanceof Error ? failure.message : 'The runs could not be listed.');
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is made of the query
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => void load([], undefined, () => current), found === undefined ? 0 : settleMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query]);
  return {
    runs: found?.runs,
    hasMore: found?.next != null,
    error,
    more: () => void load(found?.runs ?? [], found?.next ?? undefined, () => found?.query === query),
  };
}

function runsOf(page: RunPage): readonly RunInfo[] {
  return page.groups.flatMap(({ runs }) => runs);
}
