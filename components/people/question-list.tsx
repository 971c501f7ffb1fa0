import { Check, CircleDashed, X } from 'lucide-react';
import Link from 'next/link';
import { Checkbox } from '@/components/ui/checkbox';
import { classNames } from '@/components/ui/class-names';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import type { PendingInfo } from '@/lib/base/pending-info';
import { endWords, groupByRun, pathWords } from './question-words';

export interface QuestionListProps {
  readonly items: readonly PendingInfo[];
  readonly chosen: string | undefined;
  /** Those that are answered together. */
  readonly selected: readonly string[];
  readonly onChoose: (id: string) => void;
  readonly onSelect: (id: string) => void;
}

/** Lists questions, grouped by run. */
export function QuestionList({ items, chosen, selected, onChoose, onSelect }: QuestionListProps) {
  return groupByRun(items).map((group) => {
    const [{ run, projectName }] = group;
    return (
      <section key={run} aria-label={`${projectName}, run ${run.slice(0, 8)}`} className="border-b">
        <h2 className="flex items-baseline gap-2 bg-ground px-3 py-1.5 text-xs">
          <span className="min-w-0 truncate font-medium text-ink">
            <VisibleText text={projectName} />
          </span>
          <Link
            href={`/r/${run}`}
            className="shrink-0 font-mono text-2xs text-accent underline-offset-2 hover:underline"
          >
            run {run.slice(0, 8)}
          </Link>
        </h2>
        <ul>
          {group.map((item) => (
            <li
              key={item.id}
              className={classNames(
                'flex items-start',
                item.id === chosen || selected.includes(item.id) ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              {item.status === 'open' ? (
                <Checkbox
                  label={`Select: ${item.sentence}`}
                  checked={selected.includes(item.id)}
                  onToggle={() => onSelect(item.id)}
                  className="mt-1 ml-1"
                />
              ) : (
                <StateIcon item={item} />
              )}
              <button
                type="button"
                aria-current={item.id === chosen ? 'true' : undefined}
                onClick={() => onChoose(item.id)}
                className="flex min-w-0 flex-1 cursor-pointer items-start py-2 pr-3 pl-1.5 text-left focus-visible:-outline-offset-2"
              >
                {item.status === 'open' && <span className="sr-only">Waiting: </span>}
                <span className="flex min-w-0 flex-1 flex-col gap-0.5">
                  <span className="line-clamp-2 break-words text-ink text-sm">
                    <VisibleText text={item.sentence} />
                  </span>
                  <span className="flex gap-2 text-2xs text-muted">
                    <span className="min-w-0 flex-1 truncate font-mono">
                      <VisibleText text={pathWords(item.path)} />
                    </span>
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
  const Icon = status === 'answered' ? (isDenied ? X : Check) : CircleDashed;
  const ink = status === 'answered' ? (isDenied ? 'text-bad' : 'text-ok') : 'text-faint';
  return (
    <span className={classNames('mt-2.5 ml-3 mr-1.5 shrink-0', ink)}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{endWords(item)}</span>
    </span>
  );
}
