'use client';

import { ArrowLeft, Inbox, Keyboard, ShieldCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { IconButton } from '@/components/ui/icon-button';
import { KeyHelp } from '@/components/ui/key-help';
import { later } from '@/components/ui/later';
import { Select } from '@/components/ui/select';
import { showToast } from '@/components/ui/toast';
import { useLatest } from '@/components/ui/use-latest';
import { useMedia } from '@/components/ui/use-media';
import { pendingStatuses } from '@/lib/base/pending';
import type { PendingInfo } from '@/lib/base/pending-info';
import { usesLetters } from './answer-bar';
import { BatchCard } from './batch-card';
import type { InboxPlace } from './inbox-place';
import { NoticeMenu } from './notice-menu';
import { joinsBatch, mostInBatch } from './question-batch';
import { QuestionCard } from './question-card';
import { questionAction } from './question-keys';
import { QuestionList } from './question-list';
import { itemAfterAnswer, itemBeside } from './question-words';
import { useQuestions } from './use-questions';
import { useTitleCount } from './use-title-count';

const GrantsDialog = later(async () => (await import('./grants-dialog')).GrantsDialog, null);

const keys = [
  {
    title: 'Questions',
    keys: [
      ['J', 'Next question'],
      ['K', 'Question before'],
      ['X', 'Select, to answer several of one tool together'],
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

export interface InboxViewProps {
  readonly place: InboxPlace;
  readonly onPlace: (place: InboxPlace) => void;
}

/** Lists the questions of runs to people, with the chosen one beside the list, or in its place on a phone. */
export function InboxView({ place, onPlace }: InboxViewProps) {
  const [help, setHelp] = useState(false);
  const [isAnswering, setIsAnswering] = useState(false);
  const wide = useMedia('(min-width: 48rem)');
  const { items, open, isLoaded, error, version, hasMore, more } = useQuestions(place);
  const { item } = place;
  const selection = useSelection(items);
  useTitleCount(open ?? 0);
  const choose = (id: string | undefined) => onPlace({ ...place, item: id });
  const first = wide === true && item === undefined ? items[0]?.id : undefined;
  const chooseFirst = useLatest(choose);
  useEffect(() => {
    if (first !== undefined) chooseFirst(first);
  }, [first, chooseFirst]);
  useInboxKeys((action) => {
    if (action === 'help') setHelp(true);
    else if (action === 'select') selection.toggle(item);
    else if (action === 'next' && hasMore && items.at(-1)?.id === item) {
      void more().then((all) => choose(itemBeside(all, item, 1) ?? item));
    } else choose(itemBeside(items, item, action === 'next' ? 1 : -1) ?? item);
  });
  const { ids, drop } = selection;
  // On a phone several are selected in the list before they are answered in its place.
  const isBatch = ids.length > 0 && (wide !== false || isAnswering);
  const showsList = wide !== false || (item === undefined && !isBatch);
  const clear = () => {
    drop(ids);
    setIsAnswering(false);
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Header {...{ place, onPlace, items, open }} onHelp={() => setHelp(true)} />
      {error !== null && (
        <p role="alert" className="border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          {error.message}
        </p>
      )}
      {isLoaded && items.length === 0 && item === undefined ? (
        <Nothing place={place} onPlace={onPlace} />
      ) : (
        <div className="flex min-h-0 flex-1">
          {showsList && (
            <Listed
              {...{ items, selection, more, hasMore }}
              chosen={item}
              onChoose={choose}
              onTogether={wide === false && ids.length > 0 ? () => setIsAnswering(true) : undefined}
            />
          )}
          {(wide !== false || !showsList) && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
            <section aria-label="Chosen question" tabIndex={0} className="min-h-0 min-w-0 flex-1 overflow-y-auto">
              {wide === false && <BackButton onClick={() => (isBatch ? setIsAnswering(false) : choose(undefined))} />}
              <div className="max-w-3xl">
                {isBatch && <BatchCard ids={ids} onAnswered={drop} onClear={clear} />}
                {!isBatch && item !== undefined && (
                  <QuestionCard
                    id={item}
                    version={version}
                    withKeys={wide !== false}
                    onAnswered={() => choose(itemAfterAnswer(items, item) ?? (wide === true ? item : undefined))}
                  />
                )}
              </div>
            </section>
          )}
        </div>
      )}
      {help && <KeyHelp groups={keys} open onOpenChange={setHelp} />}
    </div>
  );
}

/** The list with its further pages, and on a phone the way to the selected questions. */
function Listed(props: {
  readonly items: readonly PendingInfo[];
  readonly chosen: string | undefined;
  readonly selection: Selection;
  readonly hasMore: boolean;
  readonly more: () => Promise<unknown>;
  readonly onChoose: (id: string) => void;
  readonly onTogether: (() => void) | undefined;
}) {
  const { items, chosen, selection, hasMore, more, onChoose, onTogether } = props;
  const { ids, toggle, drop } = selection;
  return (
    <nav
      aria-label="Questions"
      className="min-h-0 w-full shrink-0 overflow-y-auto bg-surface md:w-80 md:border-r lg:w-96"
    >
      <QuestionList items={items} chosen={chosen} selected={ids} onChoose={onChoose} onSelect={toggle} />
      {hasMore && (
        <div className="p-3">
          <Button size="sm" onClick={() => void more()}>
            Show more
          </Button>
        </div>
      )}
      {onTogether !== undefined && (
        <div className="sticky bottom-0 flex gap-2 border-t bg-raised p-3">
          <Button variant="primary" onClick={onTogether}>
            Answer {ids.length} together
          </Button>
          <Button onClick={() => drop(ids)}>Clear</Button>
        </div>
      )}
    </nav>
  );
}

interface Selection {
  /** Those that wait and are listed. */
  readonly ids: readonly string[];
  readonly toggle: (id: string | undefined) => void;
  readonly drop: (ids: readonly string[]) => void;
}

function useSelection(items: readonly PendingInfo[]): Selection {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const selected = items.filter(({ id, status }) => status === 'open' && chosen.includes(id));
  const ids = selected.map(({ id }) => id);
  const toggle = (id: string | undefined) => {
    const item = items.find((each) => each.id === id);
    if (item === undefined) return;
    if (ids.includes(item.id)) setChosen(ids.filter((each) => each !== item.id));
    else if (ids.length >= mostInBatch) showToast({ text: `At most ${mostInBatch} are answered together.` });
    else if (joinsBatch(selected, item)) setChosen([...ids, item.id]);
    else showToast({ text: 'Only waiting questions of one tool and one project are answered together.' });
  };
  return { ids, toggle, drop: (gone) => setChosen(ids.filter((id) => !gone.includes(id))) };
}

function BackButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <div className="px-3 pt-2">
      <Button size="sm" variant="ghost" icon={<ArrowLeft aria-hidden className="size-3.5" />} onClick={onClick}>
        All questions
      </Button>
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
        Remembered approvals
      </Button>
      <NoticeMenu />
      <Filters {...filters} />
      <span className="max-sm:hidden">
        <IconButton size="sm" label="Keys" keys="?" icon={<Keyboard aria-hidden />} onClick={onHelp} />
      </span>
      {remembered && <GrantsDialog project={props.place.project} onClose={() => setRemembered(false)} />}
    </header>
  );
}

function useInboxKeys(act: (action: 'next' | 'previous' | 'select' | 'help') => void): void {
  const onAction = useLatest(act);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || usesLetters(event.target)) return;
      const action = questionAction(event);
      if (action !== 'next' && action !== 'previous' && action !== 'select' && action !== 'help') return;
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
      title={isFiltered ? 'No question matches' : 'Nothing waits for an answer'}
      action={isFiltered && <Button onClick={() => onPlace({ status: 'open' })}>Show all that wait</Button>}
    >
      {isFiltered
        ? 'Other filters may show more.'
        : 'Questions of runs appear here: calls that wait for approval, and what agents want to know. The section approvals in callboard.yaml says which calls need an approval.'}
    </EmptyState>
  );
}
