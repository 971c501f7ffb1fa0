'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Inbox, Keyboard, ShieldCheck, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { IconButton } from '@/components/ui/icon-button';
import { KeyHelp } from '@/components/ui/key-help';
import { Select } from '@/components/ui/select';
import { useLatest } from '@/components/ui/use-latest';
import { useMedia } from '@/components/ui/use-media';
import { pendingStatuses } from '@/lib/base/pending';
import type { PendingInfo } from '@/lib/base/pending-info';
import { listPending, watchPending } from '@/lib/client/pending';
import { isTyping } from './answer-bar';
import type { InboxPlace } from './inbox-place';
import { QuestionCard } from './question-card';
import { questionAction } from './question-keys';
import { QuestionList } from './question-list';
import { itemAfterAnswer, itemBeside } from './question-words';
import { useTitleCount } from './use-title-count';

const GrantsDialog = lazy(async () => ({ default: (await import('./grants-dialog')).GrantsDialog }));

const keys = [
  {
    title: 'Questions',
    keys: [
      ['J', 'Next question'],
      ['K', 'Question before'],
    ],
  },
  {
    title: 'Answer',
    keys: [
      ['A', 'Approve'],
      ['Shift+A', 'Approve and remember'],
      ['E', 'Edit and approve'],
      ['D', 'Decline with a reason'],
      ['Mod+Enter', 'Send what was typed'],
      ['Escape', 'Close a form'],
    ],
  },
  { title: 'Everywhere', keys: [['?', 'All keys']] },
] as const;

const pageSize = 100;
/** The server lists at most so many at once. */
const mostListed = 500;

export interface InboxViewProps {
  readonly place: InboxPlace;
  readonly onPlace: (place: InboxPlace) => void;
}

/** Lists the questions of runs to people, with the chosen one beside the list, or in its place on a phone. */
export function InboxView({ place, onPlace }: InboxViewProps) {
  const [limit, setLimit] = useState(pageSize);
  const [help, setHelp] = useState(false);
  const wide = useMedia('(min-width: 48rem)');
  const { data, error, dataUpdatedAt } = useQuestions(place, limit);
  const items = data?.items ?? [];
  const { item } = place;
  useTitleCount(data?.open ?? 0);
  const choose = (id: string | undefined) => onPlace({ ...place, item: id });
  const first = wide === true && item === undefined ? items[0]?.id : undefined;
  const chooseFirst = useLatest(choose);
  useEffect(() => {
    if (first !== undefined) chooseFirst(first);
  }, [first, chooseFirst]);
  useInboxKeys((action) => {
    if (action === 'help') setHelp(true);
    else choose(itemBeside(items, item, action === 'next' ? 1 : -1) ?? item);
  });
  const showsList = wide !== false || item === undefined;
  const detail = item !== undefined && (
    <QuestionCard
      id={item}
      version={dataUpdatedAt}
      withKeys={wide !== false}
      onAnswered={() => choose(itemAfterAnswer(items, item) ?? (wide === true ? item : undefined))}
    />
  );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Header {...{ place, onPlace, items }} open={data?.open} onHelp={() => setHelp(true)} />
      {error !== null && (
        <p role="alert" className="border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          {error.message}
        </p>
      )}
      {data !== undefined && items.length === 0 && item === undefined ? (
        <Nothing place={place} onPlace={onPlace} />
      ) : (
        <div className="flex min-h-0 flex-1">
          {showsList && (
            <nav
              aria-label="Questions"
              className="min-h-0 w-full shrink-0 overflow-y-auto bg-surface md:w-80 md:border-r lg:w-96"
            >
              <QuestionList items={items} chosen={item} onChoose={choose} />
              {items.length >= limit && limit < mostListed && (
                <div className="p-3">
                  <Button size="sm" onClick={() => setLimit(limit + pageSize)}>
                    Show more
                  </Button>
                </div>
              )}
            </nav>
          )}
          {(wide !== false || item !== undefined) && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
            <section aria-label="Chosen question" tabIndex={0} className="min-h-0 min-w-0 flex-1 overflow-y-auto">
              {wide === false && (
                <div className="px-3 pt-2">
                  <Button
                    size="sm"
                    variant="ghost"
                    icon={<ArrowLeft aria-hidden className="size-3.5" />}
                    onClick={() => choose(undefined)}
                  >
                    All questions
                  </Button>
                </div>
              )}
              <div className="max-w-3xl">{detail}</div>
            </section>
          )}
        </div>
      )}
      {help && <KeyHelp groups={keys} open onOpenChange={setHelp} />}
    </div>
  );
}

function Header(
  props: InboxViewProps & {
    readonly items: readonly PendingInfo[];
    /** How many wait in all; `undefined` until it is known. */
    readonly open: number | undefined;
    readonly onHelp: () => void;
  },
) {
  const { open, onHelp, ...filters } = props;
  const [remembered, setRemembered] = useState(false);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface px-3 py-2 sm:px-4">
      <h1 className="font-semibold text-ink text-lg">Inbox</h1>
      <p role="status" className="text-muted text-xs tabular-nums">
        {open === undefined ? '' : `${open} waiting`}
      </p>
      <span className="flex-1" />
      <Button
        size="sm"
        icon={<ShieldCheck aria-hidden className="size-3.5" />}
        aria-haspopup="dialog"
        onClick={() => setRemembered(true)}
      >
        Remembered
      </Button>
      <Filters {...filters} />
      <span className="max-sm:hidden">
        <IconButton size="sm" label="Keys" keys="?" icon={<Keyboard aria-hidden />} onClick={onHelp} />
      </span>
      {remembered && (
        <Suspense>
          <GrantsDialog project={props.place.project} onClose={() => setRemembered(false)} />
        </Suspense>
      )}
    </header>
  );
}

function useQuestions({ status, run, project }: InboxPlace, limit: number) {
  const client = useQueryClient();
  useEffect(() => watchPending({}, () => void client.invalidateQueries({ queryKey: ['pending'] })), [client]);
  const query = {
    status,
    limit: String(limit),
    ...(run !== undefined && { run }),
    ...(project !== undefined && { project }),
  };
  return useQuery({
    queryKey: ['pending', query],
    queryFn: ({ signal }) => listPending(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    retry: false,
  });
}

function useInboxKeys(act: (action: 'next' | 'previous' | 'help') => void): void {
  const onAction = useLatest(act);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const action = questionAction(event);
      if (action !== 'next' && action !== 'previous' && action !== 'help') return;
      event.preventDefault();
      onAction(action);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onAction]);
}

const statusWords = {
  open: 'Waiting',
  answered: 'Answered',
  expired: 'Not answered in time',
  withdrawn: 'Not needed any more',
  all: 'All',
} as const;
const anyProject = '*';

function Filters({ place, onPlace, items }: InboxViewProps & { readonly items: readonly PendingInfo[] }) {
  const { run, project } = place;
  const names = new Map(items.map((item) => [item.project, item.projectName]));
  if (project !== undefined && !names.has(project)) names.set(project, 'This project');
  return (
    <search className="flex flex-wrap items-center gap-2 max-sm:w-full sm:flex-nowrap">
      {run !== undefined && (
        <Button
          size="sm"
          icon={<X aria-hidden className="size-3.5" />}
          onClick={() => onPlace({ ...place, run: undefined })}
        >
          Only run {run.slice(0, 8)}
        </Button>
      )}
      <Select
        size="sm"
        className="max-sm:max-w-40 sm:w-44 sm:shrink-0"
        aria-label="Project"
        value={project ?? anyProject}
        onValueChange={(value) =>
          onPlace({ ...place, project: value === anyProject ? undefined : value, item: undefined })
        }
        options={[
          { value: anyProject, label: 'All projects' },
          ...[...names].map(([value, label]) => ({ value, label })),
        ]}
      />
      <Select
        size="sm"
        className="max-sm:max-w-40 sm:w-44 sm:shrink-0"
        aria-label="Status"
        value={place.status}
        onValueChange={(value) => {
          const status = ([...pendingStatuses, 'all'] as const).find((each) => each === value) ?? 'open';
          onPlace({ ...place, status, item: undefined });
        }}
        options={([...pendingStatuses, 'all'] as const)
          .toSorted((a, b) => Object.keys(statusWords).indexOf(a) - Object.keys(statusWords).indexOf(b))
          .map((value) => ({ value, label: statusWords[value] }))}
      />
    </search>
  );
}

function Nothing({ place, onPlace }: InboxViewProps) {
  const isFiltered = place.run !== undefined || place.project !== undefined || place.status !== 'open';
  return (
    <EmptyState
      icon={<Inbox aria-hidden />}
      title={isFiltered ? 'No question matches' : 'Nobody is waited for'}
      action={isFiltered && <Button onClick={() => onPlace({ status: 'open' })}>Show all that wait</Button>}
    >
      {isFiltered
        ? 'Other filters may show more.'
        : 'Questions of runs appear here: calls that wait for approval, and what agents want to know. Approvals of callboard.yaml say what asks.'}
    </EmptyState>
  );
}
