'use client';

import { useQuery } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { untilWords } from '@/lib/base/due-words';
import type { MirrorInfo, MirrorSettings, MirrorState } from '@/lib/base/mirror';
import { whyNot } from '@/lib/base/project-access';
import { MirrorForm } from './mirror-form';
import type { Answered } from './revision-types';

export interface MirrorServices {
  /** Rejects with an Error whose message users may see. */
  read(): Promise<MirrorInfo | null>;
  set(mirror: MirrorSettings): Promise<Answered<void>>;
  remove(): Promise<Answered<void>>;
  push(): Promise<Answered<void>>;
  /** The names of secrets that the person may see. */
  secretNames(): Promise<readonly string[]>;
}

export interface MirrorSectionProps {
  readonly project: string;
  /** The mirror when the page was made. */
  readonly mirror: MirrorInfo | null;
  readonly services: MirrorServices;
}

const looks: Readonly<Record<MirrorState, { readonly word: string; readonly tone: Tone }>> = {
  idle: { word: 'Nothing to push', tone: 'neutral' },
  waiting: { word: 'Pushing', tone: 'busy' },
  pushed: { word: 'Pushed', tone: 'ok' },
  retrying: { word: 'Trying again', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
  diverged: { word: 'Has other commits', tone: 'bad' },
};

const askAgainMs = { waiting: 1_000, settled: 5_000 } as const;

/** The git repository to which what is live is pushed: what was pushed when, why a push failed, and how to set it up. */
export function MirrorSection({ project, mirror: first, services }: MirrorSectionProps) {
  const access = useAccess();
  const refusals = { set: whyNot(access, 'settings.change'), push: whyNot(access, 'project.review') };
  const [asked, setAsked] = useState<'form' | 'remove'>();
  const [fault, setFault] = useState<string>();
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['mirror', project],
    queryFn: services.read,
    initialData: first,
    initialDataUpdatedAt: 0,
    staleTime: 0,
    refetchInterval: ({ state: { data: now } }) =>
      now === null ? false : now?.state === 'waiting' ? askAgainMs.waiting : askAgainMs.settled,
  });
  const mirror = data ?? null;
  const tell = async (asking: Promise<Answered<void>>) => {
    const answer = await asking;
    setFault(answer.ok ? undefined : answer.message);
    await refetch();
  };
  return (
    <section id="mirror" aria-label="Mirror">
      <h2 className="mb-2 font-medium text-ink text-sm">Mirror</h2>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface px-4 py-3 text-sm shadow-card">
        <GitBranch aria-hidden className="size-4 shrink-0 text-faint" />
        <div className="min-w-0 flex-1 basis-64">
          {mirror === null ? (
            <p className="text-muted">
              What is live can be pushed to a git repository of yours, such as one on GitHub.
            </p>
          ) : (
            <MirrorWords mirror={mirror} readAt={dataUpdatedAt} />
          )}
        </div>
        <MirrorButtons
          mirror={mirror}
          refusals={refusals}
          onSet={() => setAsked('form')}
          onRemove={() => setAsked('remove')}
          onPush={() => void tell(services.push())}
        />
        <p role="alert" className="basis-full text-bad text-sm empty:hidden">
          {fault}
        </p>
      </div>
      {asked === 'form' && (
        <MirrorForm
          project={project}
          known={mirror}
          secretNames={services.secretNames}
          onSave={async (settings) => {
            const answer = await services.set(settings);
            if (!answer.ok) return answer.message;
            setAsked(undefined);
            setFault(undefined);
            await refetch();
            return undefined;
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      <ConfirmDialog
        open={asked === 'remove'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title="Remove the mirror?"
        confirm="Remove mirror"
        onConfirm={() => {
          setAsked(undefined);
          void tell(services.remove());
        }}
      >
        Nothing more is pushed there. What was pushed stays there.
      </ConfirmDialog>
    </section>
  );
}

function MirrorButtons(props: {
  readonly mirror: MirrorInfo | null;
  /** Why the person may not set the mirror and not push. */
  readonly refusals: { readonly set: string | undefined; readonly push: string | undefined };
  readonly onSet: () => void;
  readonly onRemove: () => void;
  readonly onPush: () => void;
}) {
  const { mirror, refusals, onSet, onRemove, onPush } = props;
  const set = { size: 'sm', title: refusals.set, disabled: refusals.set !== undefined } as const;
  if (mirror === null) {
    return (
      <Button {...set} onClick={onSet}>
        Set up a mirror
      </Button>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        title={refusals.push}
        disabled={refusals.push !== undefined || mirror.state === 'waiting'}
        onClick={onPush}
      >
        Push now
      </Button>
      <Button {...set} onClick={onSet}>
        Edit mirror
      </Button>
      <Button {...set} variant="ghost" onClick={onRemove}>
        Remove mirror
      </Button>
    </div>
  );
}

/** The address, how the last push ended, and why it failed. */
function MirrorWords({ mirror, readAt }: { readonly mirror: MirrorInfo; readonly readAt: number }) {
  const { url, state, pushed, error, nextAt } = mirror;
  const { word, tone } = looks[state];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink">
        <span className="min-w-0 break-all font-mono text-xs">{url}</span>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <p role="status" className="mt-0.5 text-muted text-xs">
        {pushed === null ? (
          state === 'idle' ? (
            'Nothing is published yet.'
          ) : (
            'Nothing was pushed yet.'
          )
        ) : (
          <>
            {pushed.revision === null ? 'Commit ' : `Revision ${pushed.revision}, commit `}
            <code className="font-mono">{pushed.commit.slice(0, 10)}</code>, pushed <TimeAgo at={pushed.at} />.
          </>
        )}
      </p>
      {error !== null && (
        <p className="mt-1 whitespace-pre-line break-words text-bad text-xs">
          {error.words}
          {nextAt !== null && state === 'retrying' && readAt > 0 && ` Next attempt ${untilWords(nextAt, readAt)}.`}
        </p>
      )}
    </>
  );
}
