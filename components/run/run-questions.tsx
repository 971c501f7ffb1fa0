'use client';

import { ChevronLeft, ChevronRight, Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { QuestionCard } from '@/components/people/question-card';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { IconButton } from '@/components/ui/icon-button';
import { VisibleText } from '@/components/ui/visible-text';
import type { PendingInfo } from '@/lib/base/pending-info';
import { listPending } from '@/lib/client/pending';
import { openQuestions } from '@/lib/trace/questions';
import type { Trace } from '@/lib/trace/trace';

export interface RunQuestionsProps {
  readonly runId: string;
  readonly trace: Trace;
  /** Changes with the trace. */
  readonly version: number;
  /** True to show the first question at once. */
  readonly startOpen?: boolean;
  /** True in a column whose height is limited. The question scrolls within it, so that its buttons stay in view. */
  readonly fits?: boolean;
}

/** Says that a run waits for people, and takes their answers in place. */
export function RunQuestions({ runId, trace, startOpen = false, fits = false }: RunQuestionsProps) {
  const open = openQuestions(trace);
  const asked = open.map((span) => trace.spans.startSeq.at(span)).join();
  const items = useItems(runId, asked);
  const [isShown, setIsShown] = useState(startOpen);
  const [place, setPlace] = useState(0);
  const [first] = open;
  if (first === undefined) return null;
  const at = Math.min(place, Math.max(items.length - 1, 0));
  const item = items[at];
  const since = new Date((trace.origin ?? 0) + trace.spans.start.at(first) / 1000);
  return (
    <section
      aria-label="Questions to people"
      className={classNames('border-b bg-warn-soft', fits ? 'flex min-h-0 flex-col' : 'shrink-0')}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 sm:px-4">
        <p role="status" className="flex items-center gap-2 text-sm text-warn">
          <Hand aria-hidden className="size-4 shrink-0" />
          Waits for {open.length === 1 ? 'an answer' : `${open.length} answers`} since{' '}
          <time dateTime={since.toISOString()} title={since.toLocaleString()}>
            {since.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
          </time>
        </p>
        {isShown ? (
          <span className="flex-1" />
        ) : (
          <p className="min-w-0 flex-1 basis-40 truncate text-ink text-xs" title={item?.sentence}>
            <VisibleText text={item?.sentence ?? ''} />
          </p>
        )}
        {isShown && items.length > 1 && (
          <span className="flex items-center gap-1 text-ink text-xs tabular-nums">
            <IconButton
              size="sm"
              label="Question before"
              icon={<ChevronLeft aria-hidden />}
              disabled={at === 0}
              onClick={() => setPlace(at - 1)}
            />
            {at + 1} of {items.length}
            <IconButton
              size="sm"
              label="Next question"
              icon={<ChevronRight aria-hidden />}
              disabled={at === items.length - 1}
              onClick={() => setPlace(at + 1)}
            />
          </span>
        )}
        <Button size="sm" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide' : 'Answer'}
        </Button>
      </div>
      {isShown && item !== undefined && (
        <section
          aria-label="Question to answer"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
          tabIndex={0}
          className={classNames('overflow-auto border-t bg-surface', fits ? 'min-h-0 flex-1' : 'max-h-[50vh]')}
        >
          <div className="max-w-3xl">
            <QuestionCard id={item.id} version={asked} inRun />
          </div>
        </section>
      )}
    </section>
  );
}

/** Lists the open questions of a run. They are read again when `asked` changes; until then the last ones stay. */
function useItems(runId: string, asked: string): readonly PendingInfo[] {
  const [items, setItems] = useState<readonly PendingInfo[]>([]);
  useEffect(() => {
    if (asked === '') return;
    const gone = new AbortController();
    listPending({ run: runId }, gone.signal).then(
      (page) => {
        if (!gone.signal.aborted) setItems(page.items);
      },
      // The banner stays without a card. The next change of the run asks again.
      () => {},
    );
    return () => gone.abort();
  }, [runId, asked]);
  return items;
}
