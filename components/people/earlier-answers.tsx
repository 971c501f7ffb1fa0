'use client';

import Link from 'next/link';
import { useEffect, useState } from 'react';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import type { PendingInfo } from '@/lib/base/pending-info';
import { listPending } from '@/lib/client/pending';
import { endWords } from './question-words';

const looked = 50;
const shown = 5;

/** Reads the newest answers to calls of the same tool in the same project. None until they are read, and none for other questions. */
export function useEarlierAnswers(item: PendingInfo): readonly PendingInfo[] {
  const { id, project, tool } = item;
  const [found, setFound] = useState<{ readonly of: string; readonly items: readonly PendingInfo[] }>();
  useEffect(() => {
    if (tool === undefined) return;
    const gone = new AbortController();
    listPending({ project, tool, status: 'answered', limit: String(looked) }, gone.signal)
      .then(({ items }) => {
        if (!gone.signal.aborted) setFound({ of: id, items });
      })
      // They help to decide. Without them the question can still be answered.
      .catch(() => undefined);
    return () => gone.abort();
  }, [id, project, tool]);
  return found?.of === id ? found.items.filter((each) => each.id !== id) : [];
}

/** Returns how many calls of the tool people have approved in the run, among the answers. */
export function approvalsInRun(answers: readonly PendingInfo[], run: string): number {
  return answers.filter(
    ({ answer, ...each }) => each.run === run && answer?.decision === 'approve' && !isAutomatic(answer.by),
  ).length;
}

function isAutomatic(by: string): boolean {
  return by === 'grant' || by === 'policy';
}

/** Shows how calls of the same tool were decided before. */
export function EarlierAnswers({ answers }: { readonly answers: readonly PendingInfo[] }) {
  if (answers.length === 0) return null;
  return (
    <section aria-label="Earlier answers to this tool" className="flex flex-col gap-0.5">
      <h3 className="font-medium text-muted text-xs">Earlier answers to this tool</h3>
      <ul className="flex flex-col gap-1">
        {answers.slice(0, shown).map((item) => (
          <li key={item.id} className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="text-ink">
              <VisibleText text={endWords(item) ?? ''} />
            </span>
            {item.answer?.note !== undefined && (
              <span className="min-w-0 break-words text-muted">
                <VisibleText text={item.answer.note} use="prose" />
              </span>
            )}
            <Link
              href={`/inbox?${new URLSearchParams({ status: 'answered', item: item.id })}`}
              className="text-accent text-xs underline-offset-2 hover:underline"
            >
              <TimeAgo at={item.endedAt ?? item.askedAt} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
