'use client';

import { GitCompareArrows, Trash2, X } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { later, useEver } from '@/components/ui/later';
import { showToast } from '@/components/ui/toast';
import { formatBytes } from '@/lib/trace/wording';
import { countWord } from './count-word';
import { whileMore } from './while-more';

const ConfirmDialog = later(async () => (await import('@/components/ui/confirm-dialog')).ConfirmDialog, null);

/** How many runs are chosen, how many of them have not ended, and the bytes of their events. */
export interface ChosenAmount {
  readonly runs: number;
  readonly active: number;
  readonly bytes: number;
}

/** Runs by id, or all of a filter that were started at `until` (epoch milliseconds) at the latest. */
export type Choice = { readonly ids: string[] } | { readonly query: string; readonly until: number };

/** Counts and deletes runs, and brings them back. Each function rejects with an Error whose message users may see. */
export interface RunDeletion {
  readonly count: (choice: Choice) => Promise<ChosenAmount>;
  /** Deletes for some seconds. Active runs are stopped, and go in a later call. `deletion` is null if no run went. */
  readonly remove: (choice: Choice) => Promise<{
    readonly deleted: number;
    readonly stopping: number;
    readonly more: boolean;
    readonly deletion: string | null;
  }>;
  /** Brings back for some seconds what deletions have deleted. */
  readonly restore: (deletions: string[]) => Promise<{ readonly restored: number; readonly more: boolean }>;
}

export interface ChosenBarProps {
  readonly chosen: ReadonlySet<string>;
  /** Query text of the filter. */
  readonly query: string;
  /** True if all listed runs are chosen, so that the whole filter may be meant. */
  readonly isAllListed: boolean;
  /** `undefined` for people who may delete no run. */
  readonly deletion: RunDeletion | undefined;
  readonly onClear: () => void;
  /** Called when runs were deleted, and when they came back. */
  readonly onDeleted: () => void;
}

/** Leads to the comparison of two runs. They are in the order in which they were chosen. */
function CompareLink({ chosen }: { readonly chosen: ReadonlySet<string> }) {
  const [a = '', b = ''] = chosen;
  return (
    <Link href={`/compare?${new URLSearchParams({ a, b })}`} className={buttonClass('secondary', 'sm')}>
      <GitCompareArrows aria-hidden className="size-3.5" />
      Compare
    </Link>
  );
}

interface Asked {
  readonly choice: Choice;
  readonly amount: ChosenAmount;
}

/** Says how many runs are chosen, compares two, and offers to delete them to people who may delete runs. */
export function ChosenBar({ deletion, ...bar }: ChosenBarProps) {
  const { chosen, onClear } = bar;
  if (deletion !== undefined) return <DeletingBar {...bar} deletion={deletion} />;
  return chosen.size === 0 ? null : <Bar chosen={chosen} onClear={onClear} />;
}

interface BarProps extends Pick<ChosenBarProps, 'chosen' | 'onClear'> {
  readonly children?: ReactNode;
}

function Bar({ chosen, onClear, children }: BarProps) {
  const count = chosen.size;
  return (
    <div className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border bg-raised px-3 py-2 text-sm shadow-pop">
      <div className="mr-auto flex items-center gap-2 max-sm:w-full max-sm:justify-between">
        <p role="status" className="text-ink">
          {count.toLocaleString('en-US')} {count === 1 ? 'run' : 'runs'} selected
        </p>
        <IconButton size="sm" label="Clear selection" icon={<X aria-hidden />} onClick={onClear} />
      </div>
      {count === 2 && <CompareLink chosen={chosen} />}
      {children}
    </div>
  );
}

/** Deletes the chosen runs after a confirmation that says what goes. */
function DeletingBar(props: Omit<ChosenBarProps, 'deletion'> & { readonly deletion: RunDeletion }) {
  const { chosen, query, isAllListed, deletion, onClear, onDeleted } = props;
  const [asked, setAsked] = useState<Asked>();
  const [deleted, setDeleted] = useState<number>();
  const wasAsked = useEver(asked !== undefined);
  const ask = async (choice: Choice) => {
    try {
      setAsked({ choice, amount: await deletion.count(choice) });
    } catch (error) {
      showToast({ tone: 'bad', text: sentenceOf(error) });
    }
  };
  const undo = async (deletions: readonly string[]) => {
    try {
      const done = await whileMore(
        () => deletion.restore([...deletions]),
        ({ restored }) => restored,
      );
      showToast({ tone: 'ok', text: `${countWord(done)} restored.` });
    } catch (error) {
      showToast({ tone: 'bad', text: sentenceOf(error) });
    }
    onDeleted();
  };
  const remove = async ({ choice, amount }: Asked) => {
    setDeleted(0);
    try {
      const { done, stopping, deletions } = await removeAll(deletion, choice, setDeleted);
      showToast({
        tone: stopping > 0 ? 'info' : 'ok',
        text: outcome(done, stopping),
        ...(deletions.length > 0 && { action: { label: 'Undo', onClick: () => void undo(deletions) } }),
      });
    } catch (error) {
      showToast({ tone: 'bad', text: sentenceOf(error) });
    }
    setDeleted(undefined);
    setAsked(undefined);
    if (amount.runs > 0) onClear();
    onDeleted();
  };
  return (
    <>
      {chosen.size > 0 && (
        <Bar {...{ chosen, onClear }}>
          {isAllListed && (
            <Button size="sm" variant="ghost" onClick={() => void ask({ query, until: Date.now() })}>
              {query === '' ? 'Delete all runs…' : 'Delete all that match…'}
            </Button>
          )}
          <Button
            size="sm"
            icon={<Trash2 aria-hidden className="size-3.5" />}
            onClick={() => void ask({ ids: [...chosen] })}
          >
            Delete selected…
          </Button>
        </Bar>
      )}
      {wasAsked && (
        <ConfirmDialog
          open={asked !== undefined}
          onOpenChange={(open) => {
            if (!open && deleted === undefined) setAsked(undefined);
          }}
          title={asked === undefined ? '' : `Delete ${countWord(asked.amount.runs)}?`}
          confirm={deleted === undefined ? 'Delete' : `Deleted ${deleted.toLocaleString('en-US')}…`}
          busy={deleted !== undefined}
          onConfirm={() => asked !== undefined && void remove(asked)}
        >
          {asked !== undefined && <Loss {...asked} />}
        </ConfirmDialog>
      )}
    </>
  );
}

function Loss({ amount: { runs, active, bytes }, choice }: Asked) {
  return (
    <>
      <p>
        {'query' in choice && 'These are all runs that match the filter now, also those that are not listed. '}
        They go to the bin with their messages, answers, events and timelines ({formatBytes(bytes)}), and can be
        restored for 24 hours. Projects, sessions and artifacts stay.
      </p>
      {active > 0 && (
        <p className="mt-2 text-warn">
          {active === runs
            ? runs === 1
              ? 'It is'
              : 'All of them are'
            : `${active.toLocaleString('en-US')} of them ${active === 1 ? 'is' : 'are'}`}{' '}
          still active. They are stopped first.
        </p>
      )}
    </>
  );
}

/** Active runs stop within seconds. A run that does not stop stays, and the person is told. */
const mostWaits = 20;
const waitMs = 700;

async function removeAll(deletion: RunDeletion, choice: Choice, tell: (deleted: number) => void) {
  let done = 0;
  const deletions: string[] = [];
  for (let waits = 0; ; ) {
    const { deleted, stopping, more, deletion: id } = await deletion.remove(choice);
    done += deleted;
    if (id !== null) deletions.push(id);
    tell(done);
    if (more) continue;
    if (stopping === 0 || waits === mostWaits) return { done, stopping, deletions };
    waits += 1;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

function outcome(done: number, stopping: number): string {
  const went = `${countWord(done)} deleted.`;
  return stopping === 0 ? went : `${went} ${countWord(stopping)} did not stop yet; delete them later.`;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
