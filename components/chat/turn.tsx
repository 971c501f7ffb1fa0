import { ChevronDown, Clock, Paperclip, RotateCcw, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { MissingKey } from '@/components/keys/set-key';
import { Button } from '@/components/ui/button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AttachmentInfo, TurnInfo } from '@/lib/base/conversation';
import { isActive } from '@/lib/trace/run-state';
import { formatBytes } from '@/lib/trace/wording';
import { TurnRun } from './turn-run';

export interface TurnProps {
  readonly turn: TurnInfo;
  readonly agent: string;
  /** True if the events of the run are followed. A browser has few connections, so only the first turns that go on are. */
  readonly isFollowed: boolean;
  /** Called when the run has begun or ended, which the list of turns does not know yet. */
  readonly onChanged: () => void;
  readonly onStop: (run: string) => void;
  readonly onAgain: (turn: TurnInfo) => void;
}

/** A message of a person and what came of it. */
export function Turn(props: TurnProps) {
  const { turn, agent, isFollowed, onChanged, onStop, onAgain } = props;
  const [place, isNear] = useNear();
  const goesOn = isActive(turn.status);
  const waits = turn.isInLine === true;
  return (
    <article ref={place} aria-label={`Turn: ${turn.message.slice(0, 60)}`} className="flex min-w-0 flex-col gap-3">
      <PersonMessage message={turn.message} attachments={turn.attachments} at={turn.createdAt} />
      <TurnRun
        {...{ turn, agent, onChanged }}
        isFollowed={isFollowed || (!goesOn && isNear)}
        inLine={waits && <InLine onWithdraw={() => onStop(turn.runId)} />}
      />
      {!goesOn && turn.status !== 'completed' && <NotKnown turn={turn} onAgain={() => onAgain(turn)} />}
    </article>
  );
}

/** A longer message is shown whole on demand. */
const shownUnits = 1_500;

export function PersonMessage(props: {
  readonly message: string;
  readonly attachments: readonly AttachmentInfo[];
  readonly at: number | undefined;
}) {
  const { message, attachments, at } = props;
  const [isWhole, setIsWhole] = useState(false);
  const isLong = message.length > shownUnits;
  return (
    <div className="flex min-w-0 flex-col items-end gap-1">
      <div className="max-w-[min(100%,40rem)] rounded-lg bg-accent-soft px-3 py-2 text-ink text-sm">
        <p className="whitespace-pre-wrap break-words">
          <span className="sr-only">You: </span>
          {isLong && !isWhole ? `${message.slice(0, shownUnits)}…` : message}
        </p>
        {isLong && (
          <Button
            size="sm"
            variant="ghost"
            className="-ml-2"
            aria-expanded={isWhole}
            icon={<ChevronDown aria-hidden className={isWhole ? 'size-3.5 rotate-180' : 'size-3.5'} />}
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? 'Show less' : 'Show all'}
          </Button>
        )}
      </div>
      {attachments.length > 0 && (
        <ul aria-label="Attachments" className="flex max-w-full flex-wrap justify-end gap-1.5">
          {attachments.map((file) => (
            <li
              key={file.name}
              title={file.mediaType}
              className="inline-flex max-w-full items-center gap-1.5 rounded border bg-surface px-2 py-0.5 text-ink text-xs"
            >
              <Paperclip aria-hidden className="size-3 shrink-0 text-muted" />
              <span className="min-w-0 truncate">{file.name}</span>
              <span className="shrink-0 text-muted tabular-nums">{formatBytes(file.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
      {at !== undefined && <TimeAgo at={at} className="text-2xs text-muted" />}
    </div>
  );
}

function InLine({ onWithdraw }: { readonly onWithdraw: () => void }) {
  const mayRun = useAccess().rights.includes('run');
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
      <span className="inline-flex items-center gap-1.5">
        <Clock aria-hidden className="size-3.5" />
        Waits for the message before
      </span>
      {mayRun && (
        <Button size="sm" variant="ghost" icon={<Undo2 aria-hidden className="size-3.5" />} onClick={onWithdraw}>
          Withdraw
        </Button>
      )}
    </p>
  );
}

/** Says why a turn has no answer, and what that means for the next one. */
function NotKnown({ turn, onAgain }: { readonly turn: TurnInfo; readonly onAgain: () => void }) {
  const isStopped = turn.status === 'cancelled';
  const mayRun = useAccess().rights.includes('run');
  return (
    <section
      aria-label={isStopped ? 'Stopped turn' : 'Failed turn'}
      className="flex min-w-0 flex-col gap-2 rounded border px-3 py-2"
    >
      {!isStopped && turn.error !== null && (
        <p className="whitespace-pre-wrap break-words text-bad text-sm">
          {turn.error.message} <span className="font-mono text-2xs">{turn.error.code}</span>
        </p>
      )}
      {!isStopped && turn.error !== null && <MissingKey text={turn.error.message} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 basis-52 text-muted text-xs">
          {isStopped ? 'This turn was stopped.' : 'This turn failed.'} The next message does not know of it.
        </p>
        {mayRun && (
          <Button size="sm" icon={<RotateCcw aria-hidden className="size-3.5" />} onClick={onAgain}>
            Try again
          </Button>
        )}
      </div>
    </section>
  );
}

/** True once the element has been near the part of the page that shows. It stays true, so that nothing jumps. */
function useNear() {
  const place = useRef<HTMLElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((one) => one.isIntersecting) && setIsNear(true),
      {
        rootMargin: '400px',
      },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  return [place, isNear] as const;
}
