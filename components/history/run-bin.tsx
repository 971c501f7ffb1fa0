'use client';

import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusLabel } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { showToast } from '@/components/ui/toast';
import type { BinInfo, BinnedRunInfo, DeletionInfo } from '@/lib/client/run-bin';
import { formatBytes } from '@/lib/trace/wording';
import { countWord } from './count-word';

export interface RunBinProps {
  readonly bin: BinInfo;
  /** Brings back the runs of a deletion, and resolves to their number. Rejects with an Error whose message users may see. */
  readonly onRestore: (deletion: string) => Promise<number>;
  /** Deletes the runs of a deletion for good, and resolves to their number. Rejects like `onRestore`. */
  readonly onDelete: (deletion: string) => Promise<number>;
}

/** Shows what is in the bin, by deletion, and brings it back or deletes it at once. */
export function RunBin({ bin, onRestore, onDelete }: RunBinProps) {
  const [busy, setBusy] = useState<string>();
  const [asked, setAsked] = useState<DeletionInfo>();
  const move = async (id: string, work: (id: string) => Promise<number>, word: string) => {
    setBusy(id);
    try {
      showToast({ tone: 'ok', text: `${countWord(await work(id))} ${word}.` });
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
    }
    setBusy(undefined);
    setAsked(undefined);
  };
  const missing = bin.runs - bin.deletions.reduce((sum, { runs }) => sum + runs, 0);
  if (bin.deletions.length === 0) {
    return (
      <EmptyState icon={<Trash2 aria-hidden />} title="The bin is empty">
        Runs that are deleted wait here for 24 hours.
      </EmptyState>
    );
  }
  return (
    <>
      <p role="status" className="mb-2 text-muted text-xs">
        {countWord(bin.runs)} in the bin
        {missing > 0 && `, ${countWord(missing)} of older deletions not listed`}
      </p>
      <ul className="divide-y rounded-lg border bg-surface">
        {bin.deletions.map((deletion) => (
          <Deletion
            key={deletion.id}
            deletion={deletion}
            busy={busy === deletion.id}
            onRestore={() => void move(deletion.id, onRestore, 'restored')}
            onDelete={() => setAsked(deletion)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => {
          if (!open && busy === undefined) setAsked(undefined);
        }}
        title={asked === undefined ? '' : `Delete ${countWord(asked.runs)} now?`}
        confirm="Delete now"
        busy={busy !== undefined}
        onConfirm={() => asked !== undefined && void move(asked.id, onDelete, 'deleted for good')}
      >
        {asked !== undefined && (
          <p>Their messages, answers, events and timelines ({formatBytes(asked.bytes)}) are lost for good.</p>
        )}
      </ConfirmDialog>
    </>
  );
}

interface DeletionProps {
  readonly deletion: DeletionInfo;
  readonly busy: boolean;
  readonly onRestore: () => void;
  readonly onDelete: () => void;
}

function Deletion({ deletion, busy, onRestore, onDelete }: DeletionProps) {
  const { runs, bytes, by, at, until, some } = deletion;
  const name = `${countWord(runs)} deleted`;
  return (
    <li aria-label={name} className="px-3 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium text-ink text-sm">{countWord(runs)}</p>
          <p className="break-words text-muted text-xs">
            Deleted <TimeAgo at={at} /> by {by} · {formatBytes(bytes)} · goes for good at <Moment at={until} />
          </p>
        </div>
        <Button size="sm" busy={busy} icon={<RotateCcw aria-hidden className="size-3.5" />} onClick={onRestore}>
          Restore
        </Button>
        <Button size="sm" variant="ghost" icon={<Trash2 aria-hidden className="size-3.5" />} onClick={onDelete}>
          Delete now…
        </Button>
      </div>
      <ul className="mt-2 space-y-1">
        {some.map((run) => (
          <Run key={run.id} run={run} />
        ))}
        {runs > some.length && <li className="text-faint text-xs">and {countWord(runs - some.length)} more</li>}
      </ul>
    </li>
  );
}

function Run({ run }: { readonly run: BinnedRunInfo }) {
  return (
    <li className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5 text-sm">
      <StatusLabel status={run.status} />
      <span className="min-w-0 break-words text-ink">{run.agent ?? 'Entry agent'}</span>
      <span className="min-w-0 flex-1 basis-40 truncate text-muted">{run.message}</span>
      <span className="min-w-0 max-w-48 truncate text-muted text-xs">{run.projectName}</span>
    </li>
  );
}

const moment = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** The bin is only drawn in the browser, which knows the time zone. */
function Moment({ at }: { readonly at: number }) {
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{date.toLocaleString('en-GB', moment)}</time>;
}
