'use client';

import { FlaskConical, GitCompareArrows, Link2, MessageSquare, Play, Square } from 'lucide-react';
import Link from 'next/link';
import { type RefObject, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { ScoreControl } from '@/components/scores/score-control';
import type { TimelinePicture } from '@/components/timeline/timeline-props';
import { Button, buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { VisibleText } from '@/components/ui/visible-text';
import { chatHref, triggersHref } from '@/lib/client/project-address';
import { runGroupHref } from '@/lib/client/run-address';
import { type RunInfo, ranWords } from '@/lib/client/run-info';
import { ownSource } from '@/lib/trace/run-source';
import type { RunState } from '@/lib/trace/run-state';
import { AgainLinks } from './again-links';
import { ExportMenu } from './export-menu';
import { RunFacts } from './run-facts';
import { RunKeys } from './run-keys';
import { useRunSight } from './run-sight';
import { ShareButton } from './share-button';
import type { ShareServices } from './share-services';
import type { LiveTrace } from './use-run';

export interface RunHeaderProps {
  readonly info: RunInfo;
  readonly run: LiveTrace;
  readonly status: RunState;
  /** True if the run has not ended. A replay may show an earlier moment. */
  readonly live: boolean;
  /** Returns the address of what the page shows. */
  readonly address: () => string;
  readonly picture: RefObject<(() => TimelinePicture) | undefined>;
  /** True if the timeline shows the spans of the framework of an imported run. */
  readonly allSpans: boolean;
  /** Asks for a stop. Resolves to `undefined`, or to a sentence that says why the request failed. */
  readonly onStop: (() => Promise<string | undefined>) | undefined;
  /** Without it, the run cannot be shared. */
  readonly share: ShareServices | undefined;
}

/** The head of a run's page: its figures, what can be done with it, and where it comes from. */
export function RunHeader({ info, run, status, live, address, picture, allSpans, onStop, share }: RunHeaderProps) {
  const sight = useRunSight();
  const mayRun = useAccess().rights.includes('run');
  const [stopping, setStopping] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const stop = async () => {
    setStopping(true);
    setFault(undefined);
    const failure = await onStop?.();
    if (failure === undefined) return;
    setFault(failure);
    setStopping(false);
  };
  return (
    <header className="shrink-0 border-b bg-surface px-3 py-2 sm:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="min-w-0 max-w-full truncate font-semibold text-ink text-lg">
          {run.trace.run.entryAgent || info.entryAgent || 'Run'}
        </h1>
        <RunFacts run={run} status={status} info={info} />
        <span className="hidden flex-1 sm:block" />
        <div className="flex flex-wrap items-center gap-2">
          <ScoreControl />
          <RunKeys />
          {sight === 'whole' && (
            <>
              <CopyButton text={address} label="Copy link to this view" icon={<Link2 aria-hidden />} />
              <ExportMenu runId={info.id} picture={picture} allSpans={allSpans} />
            </>
          )}
          {share !== undefined && <ShareButton services={share} />}
          {live && mayRun && onStop !== undefined && (
            <Button size="sm" busy={stopping} icon={<Square aria-hidden className="size-3.5" />} onClick={stop}>
              {stopping ? 'Stopping' : 'Stop'}
            </Button>
          )}
          {sight === 'whole' && <WaysOn info={info} live={live} />}
        </div>
      </div>
      {sight === 'whole' ? <Origin info={info} /> : <SharedOrigin info={info} />}
      <p aria-live="polite" className="text-bad text-xs empty:hidden">
        {fault}
      </p>
    </header>
  );
}

/** Names the draft or revision that ran. A draft changes, so the hash of its files is shown too. */
function Ran({ info }: { readonly info: RunInfo }) {
  const title = `The hash of its files is ${info.treeHash}`;
  if (info.revision !== undefined) {
    return (
      <Link href={`/p/${info.projectId}/revisions`} title={title} className="text-accent underline underline-offset-2">
        {ranWords(info)}
      </Link>
    );
  }
  if (info.draft === undefined) return <span title={title}>{ranWords(info)}</span>;
  return (
    <span title={title}>
      {ranWords(info)} <span className="font-mono text-2xs">{info.treeHash.slice(0, 8)}</span>
    </span>
  );
}

/** Leads to what can be done with the run elsewhere. */
function WaysOn({ info, live }: Pick<RunHeaderProps, 'info' | 'live'>) {
  const mayRun = useAccess().rights.includes('run');
  return (
    <>
      {info.conversationId !== undefined && (
        <Link
          href={chatHref(info.projectId, info.conversationId)}
          title="Continue the conversation that this run is a turn of"
          className={buttonClass('secondary', 'sm')}
        >
          <MessageSquare aria-hidden className="size-3.5" />
          Conversation
        </Link>
      )}
      {info.source === ownSource && mayRun && (
        <Link href={`/p/${info.projectId}?again=${info.id}`} className={buttonClass('secondary', 'sm')}>
          <Play aria-hidden className="size-3.5" />
          Run again
        </Link>
      )}
      {info.source === ownSource && !live && (
        <Link
          href={`/p/${info.projectId}/tests/new?run=${info.id}`}
          title="Keep what this run did as a test of the project"
          className={buttonClass('secondary', 'sm')}
        >
          <FlaskConical aria-hidden className="size-3.5" />
          Save as test
        </Link>
      )}
      <Link href={`/compare?a=${info.id}`} className={buttonClass('secondary', 'sm')}>
        <GitCompareArrows aria-hidden className="size-3.5" />
        Compare with…
      </Link>
    </>
  );
}

/** Says where a shared run comes from, as far as its link shows that. */
function SharedOrigin({ info }: { readonly info: RunInfo }) {
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-4 text-muted text-xs">
      <span>Shared by link, read only</span>
      {info.projectName !== '' && (
        <span>
          Project <VisibleText text={info.projectName} />
        </span>
      )}
      {info.model !== undefined && <span>Model {info.model}</span>}
    </p>
  );
}

/** Says where a run comes from: its correlation id, its files, and the runs that it repeats. */
function Origin({ info }: { readonly info: RunInfo }) {
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-x-4 text-muted text-xs">
      <span className="flex min-w-0 items-center gap-1">
        Correlation{' '}
        <Link
          href={`/runs?correlation=${encodeURIComponent(info.correlationId)}`}
          title={info.correlationId}
          className="max-w-40 truncate font-mono text-2xs text-accent underline-offset-2 hover:underline"
        >
          {info.correlationId}
        </Link>
        <CopyButton text={info.correlationId} label="Copy correlation id" />
        <Link
          href={runGroupHref(info.correlationId, info.id)}
          prefetch={false}
          title="The runs of this correlation id on one axis, with the previous and the next one"
          className="text-accent underline-offset-2 hover:underline"
        >
          Timeline of its runs
        </Link>
      </span>
      <Ran info={info} />
      {info.trigger !== undefined && (
        <Link href={triggersHref(info.projectId)} className="text-accent underline underline-offset-2">
          {info.trigger.name === undefined ? 'A deleted trigger' : `Trigger ${info.trigger.name}`}
        </Link>
      )}
      {info.model !== undefined && <span>Model {info.model}</span>}
      <AgainLinks info={info} />
    </div>
  );
}
