import { Check, CircleDashed, Hand, X } from 'lucide-react';
import Link from 'next/link';
import { classNames } from '@/components/ui/class-names';
import { TimeAgo } from '@/components/ui/time-ago';
import type { PendingInfo } from '@/lib/base/pending-info';
import { endWords, groupByRun, pathWords } from './question-words';

export interface QuestionListProps {
  readonly items: readonly PendingInfo[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** Lists questions, grouped by run. */
export function QuestionList({ items, chosen, onChoose }: QuestionListProps) {
  return groupByRun(items).map((group) => {
    const [{ run, projectName }] = group;
    return (
      <section key={run} aria-label={`${projectName}, run ${run.slice(0, 8)}`} className="border-b">
        <h2 className="flex items-baseline gap-2 bg-ground px-3 py-1.5 text-xs">
          <span className="min-w-0 truncate font-medium text-ink">{projectName}</span>
          <Link
            href={`/r/${run}`}
            className="shrink-0 font-mono text-2xs text-accent underline-offset-2 hover:underline"
          >
            run {run.slice(0, 8)}
          </Link>
        </h2>
        <ul>
          {group.map((item) => (
            <li key={item.id}>
              <button
                type="button"
                aria-current={item.id === chosen ? 'true' : undefined}
                onClick={() => onChoose(item.id)}
                className={classNames(
                  'flex w-full cursor-pointer items-start gap-2 px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2',
                  item.id === chosen && 'bg-accent-soft hover:bg-accent-soft',
                )}
              >
                <StateIcon item={item} />
                <span className="flex min-w-0 flex-1 flex-col gap-0.5">
                  <span className="line-clamp-2 break-words text-ink text-sm">{item.sentence}</span>
                  <span className="flex gap-2 text-2xs text-muted">
                    <span className="min-w-0 flex-1 truncate font-mono">{pathWords(item.path)}</span>
                    <TimeAgo at={item.endedAt ?? item.askedAt} className="shrink-0" />
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function StateIcon({ item }: { readonly item: PendingInfo }) {
  const { status, answer } = item;
  const isDenied = answer?.decision === 'deny';
  const Icon = status === 'open' ? Hand : status === 'answered' ? (isDenied ? X : Check) : CircleDashed;
  const ink =
    status === 'open' ? 'text-warn' : status === 'answered' ? (isDenied ? 'text-bad' : 'text-ok') : 'text-faint';
  return (
    <span className={classNames('mt-0.5 shrink-0', ink)}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{endWords(item) ?? 'Waiting: '}</span>
    </span>
  );
}
