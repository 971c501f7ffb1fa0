'use client';

import type { Json } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { jsonChanges } from '@/lib/trace/json-diff';
import { spanDetail, spanEnd, spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

type HookEnd = Extract<RunEvent, { kind: 'hook.ended' }>;

const titles: Readonly<Record<HookEnd['changes'][number]['what'], string>> = {
  arguments: 'Arguments',
  result: 'Result',
  message: 'Message',
  appended: 'Appended messages',
  conversation: 'The conversation',
  history: 'History',
  runner: 'Kept on the runner',
};

const mostPlaces = 100;

/** Shows the changes that a hook made, each with its path. */
export function HookDifferences({ event }: { readonly event: HookEnd }) {
  if (event.changes.length === 0) {
    return <p className="text-muted text-xs">It changed nothing.</p>;
  }
  return event.changes.map(({ what, before, after }, i) => {
    const places = jsonChanges(before, after);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the changes of one event never change
      <div key={i} className="min-w-0">
        <h3 className="flex h-7 items-center font-medium text-2xs text-muted">
          {titles[what]} {before === null && what === 'result' ? 'given by the hook' : 'before and after'}
        </h3>
        <dl className="overflow-hidden rounded border text-xs">
          {places.slice(0, mostPlaces).map((place) => (
            <div key={place.path} className="border-t px-3 py-1.5 first:border-t-0">
              {place.path !== '' && <dt className="break-all font-mono text-2xs text-muted">{place.path}</dt>}
              {place.before !== undefined && place.before !== null && (
                <dd className="flex gap-2">
                  <span className="shrink-0 select-none text-bad" title="before">
                    −<span className="sr-only">before </span>
                  </span>
                  <Side value={place.before} />
                </dd>
              )}
              {place.after !== undefined && (
                <dd className="flex gap-2">
                  <span className="shrink-0 select-none text-ok" title="after">
                    +<span className="sr-only">after </span>
                  </span>
                  <Side value={place.after} />
                </dd>
              )}
            </div>
          ))}
        </dl>
        {places.length > mostPlaces && (
          <p className="mt-1 text-muted text-xs tabular-nums">
            {mostPlaces} of {places.length.toLocaleString('en-US')} places. The event has all of them.
          </p>
        )}
      </div>
    );
  });
}

function Side({ value }: { readonly value: Json }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <span className="max-h-48 min-w-0 flex-1 overflow-auto whitespace-pre-wrap break-words font-mono text-ink">
      {text}
    </span>
  );
}

/** Lists the hooks that wrap a tool call, the outermost first, with their time and whether each let the call through. */
export function HookChain(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly now: number;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, span, now, onSelect } = props;
  const hooks = hooksAround(trace, span);
  if (hooks.length === 0) return null;
  return (
    <div className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">Hooks, outermost first</h3>
      <ol className="overflow-hidden rounded border text-xs">
        {hooks.map((hook) => (
          <li key={hook} className="border-t first:border-t-0">
            <button
              type="button"
              onClick={() => onSelect(hook)}
              className="flex w-full cursor-pointer items-center gap-2 px-2 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span aria-hidden className="size-2 shrink-0 rounded-full bg-hook" />
              <span className="min-w-0 flex-1 truncate font-mono text-ink">{spanName(trace, hook)}</span>
              <span className="shrink-0 text-muted">{hookWord(trace, hook)}</span>
              <span className="shrink-0 text-faint tabular-nums">
                {formatDuration(spanEnd(trace, hook, now) - trace.spans.start.at(hook))}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Says whether the hook let the call through, and whether it changed something. */
export function hookWord(trace: Trace, span: number): string {
  const { spans } = trace;
  if (spans.statusOf(span) === 'open') return 'running';
  if (spans.statusOf(span) === 'error') return 'failed';
  const passed = spanDetail(trace, span) !== 'around' ? '' : spans.has(span, 'stopped') ? 'stopped the call' : 'passed';
  const changed = spans.has(span, 'changed') ? 'changed it' : '';
  return [passed, changed].filter((word) => word !== '').join(', ') || 'ran';
}

/** Returns the spans of the hooks that wrap a call, in the order in which they began. */
function hooksAround(trace: Trace, span: number): readonly number[] {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const found: number[] = [];
  if (lane === undefined || trace.spans.kindOf(span) !== 'tool') return found;
  for (let i = lane.spans.firstReaching(trace.spans.start.at(span)); i < lane.spans.length; i++) {
    const one = lane.spans.ids.at(i);
    if (trace.spans.start.at(one) > trace.spans.end.at(span)) break;
    if (trace.spans.kindOf(one) === 'hook' && trace.spans.parent.at(one) === span) found.push(one);
  }
  return found;
}
