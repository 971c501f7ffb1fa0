'use client';

import type { EventCache } from '@/lib/client/event-cache';
import type { RunEvent } from '@/lib/runtime/record/events';
import { hookOwnTime, reachedTool, receivedArguments } from '@/lib/trace/hook-story';
import { hooksAround } from '@/lib/trace/hooks-around';
import type { ShortEvent } from '@/lib/trace/short-event';
import { spanEnd, spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { HookDifferences, hookWord, Side } from './hook-detail';
import { useFetched } from './use-run';

/**
 * Shows the hooks that wrap a tool call as they ran, the outermost first: the own time of each, whether it called the next
 * one, and what it changed; and the arguments that were asked for beside those that the tool received.
 */
export function HookChain(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly now: number;
  readonly cache: EventCache<ShortEvent>;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, span } = props;
  const hooks = hooksAround(trace, span);
  return hooks.length === 0 ? null : <Chain {...props} hooks={hooks} />;
}

/** Beyond this number of hooks of one call, as retries make them, only the first are shown. */
const mostHooks = 50;

function Chain(props: Parameters<typeof HookChain>[0] & { readonly hooks: readonly number[] }) {
  const { trace, span, now, cache, onSelect, hooks } = props;
  const shown = hooks.slice(0, mostHooks);
  const fetched = useFetched(cache, [
    trace.spans.startSeq.at(span),
    ...shown.map((hook) => trace.spans.endSeq.at(hook)),
  ]);
  const events = fetched.map((one) =>
    one !== undefined && one !== 'loading' && 'value' in one ? one.value : undefined,
  );
  const [started, ...ends] = events;
  return (
    <section aria-label="Hooks of this call" className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">Hooks, outermost first</h3>
      <ol className="overflow-hidden rounded border text-xs">
        {shown.map((hook, i) => {
          const end = ends[i];
          const own = hookOwnTime(trace, hook, now);
          const total = formatDuration(spanEnd(trace, hook, now) - trace.spans.start.at(hook));
          return (
            <li key={hook} className="border-t first:border-t-0">
              <button
                type="button"
                onClick={() => onSelect(hook)}
                className="flex w-full cursor-pointer flex-wrap items-center gap-x-2 px-2 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span aria-hidden className="size-2 shrink-0 rounded-full bg-hook" />
                <span className="min-w-0 flex-1 truncate font-mono text-ink">{spanName(trace, hook)}</span>
                <span className="shrink-0 text-muted">{hookWord(trace, hook)}</span>
                <span className="shrink-0 text-faint tabular-nums">
                  {own === undefined ? total : `${formatDuration(own)} own · ${total}`}
                </span>
              </button>
              {end?.kind === 'hook.ended' && end.changes.length > 0 && (
                <div className="border-t bg-ground px-2 pb-2">
                  <HookDifferences event={end} />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {hooks.length > mostHooks && (
        <p className="mt-1 text-muted text-xs">
          {mostHooks} of {hooks.length.toLocaleString('en-US')} executions. The bars show all of them.
        </p>
      )}
      <Received started={started} ends={ends} isRefused={wasNotCalled(trace, span)} />
    </section>
  );
}

/** Marks of a call that was answered without its tool. */
const answeredOtherwise = ['refused', 'cached', 'pinned', 'recorded'] as const;

function wasNotCalled({ spans }: Trace, span: number): boolean {
  return answeredOtherwise.some((flag) => spans.has(span, flag));
}

/** Shows the arguments that were asked for and those with which the hooks let the call go on, if they changed them. */
function Received(props: {
  readonly started: ShortEvent | undefined;
  readonly ends: readonly (ShortEvent | undefined)[];
  /** True for a call that was answered without its tool after the hooks had called it. */
  readonly isRefused: boolean;
}) {
  const { started, ends, isRefused } = props;
  const hooks = ends.filter(
    (event): event is Extract<RunEvent, { kind: 'hook.ended' }> => event?.kind === 'hook.ended',
  );
  if (
    started?.kind !== 'tool.started' ||
    !hooks.some(({ changes }) => changes.some(({ what }) => what === 'arguments'))
  ) {
    return null;
  }
  const received = receivedArguments(started.arguments, hooks);
  const isCalled = !isRefused && reachedTool(hooks);
  return (
    <dl className="mt-2 grid gap-2 text-xs sm:grid-cols-2">
      <div className="min-w-0">
        <dt className="pb-1 text-2xs text-muted">Asked for by the model</dt>
        <dd className="flex rounded border px-2 py-1.5">
          <Side value={started.arguments} />
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="pb-1 text-2xs text-muted">
          {isCalled ? 'Received by the tool' : 'After the hooks. The tool was not called'}
        </dt>
        <dd className="flex rounded border px-2 py-1.5">
          {received === undefined ? (
            <span className="text-muted">Too large to be recorded whole: each change above says its part.</span>
          ) : (
            <Side value={received} />
          )}
        </dd>
      </div>
    </dl>
  );
}
