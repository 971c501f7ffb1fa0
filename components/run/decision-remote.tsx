import { CopyButton } from '@/components/ui/copy-button';
import { decisionsOf, decisionsOfKind } from '@/lib/trace/decisions';
import { formatDuration } from '@/lib/trace/wording';
import type { StoryProps } from './detail-props';

/** Shows the task of a remote agent: its ids, to be copied, and its states over time. */
export function RemoteTask({ trace, lane, span, moment, onSelect, taskId }: StoryProps & { readonly taskId: string }) {
  const all = decisionsOfKind(decisionsOf(trace, lane, moment), 'remote_task');
  const states = all.filter(({ decision }) => decision.taskId === taskId);
  const contextId = states.findLast(({ decision }) => decision.contextId !== undefined)?.decision.contextId;
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs [&>dd]:min-w-0 [&>dd]:text-ink [&>dt]:text-muted">
        <Id term="Task" id={taskId} />
        {contextId !== undefined && <Id term="Context" id={contextId} />}
      </dl>
      <ol aria-label="States of the task" className="overflow-hidden rounded border text-xs">
        {states.map((one) => (
          <li key={one.seq} aria-current={one.span === span || undefined} className="border-t first:border-t-0">
            <button
              type="button"
              onClick={() => onSelect(one.span)}
              className="flex w-full cursor-pointer items-center gap-2 px-2 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="w-16 shrink-0 text-muted tabular-nums">{formatDuration(one.at)}</span>
              <span className={one.span === span ? 'font-medium text-ink' : 'text-ink'}>{one.decision.state}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Id({ term, id }: { readonly term: string; readonly id: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd className="flex items-center gap-1">
        <span className="min-w-0 truncate font-mono" title={id}>
          {id}
        </span>
        <CopyButton text={id} label={`Copy ${term.toLowerCase()} id`} />
      </dd>
    </>
  );
}
