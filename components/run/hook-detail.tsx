'use client';

import { VisibleText } from '@/components/ui/visible-text';
import type { Json } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { jsonChanges } from '@/lib/trace/json-diff';
import { spanDetail, type Trace } from '@/lib/trace/trace';

type HookEnd = Extract<RunEvent, { kind: 'hook.ended' }>;

const titles: Readonly<Record<HookEnd['changes'][number]['what'], string>> = {
  arguments: 'Arguments',
  result: 'Result',
  message: 'Message',
  appended: 'Appended messages',
  conversation: 'The conversation',
  history: 'History',
  runner: 'Kept on the runner',
  stop: 'Stopped the turn for a person',
};

const mostPlaces = 100;

/** Shows the changes that a hook made, each with its path, before and after side by side. */
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
        <ul className="overflow-hidden rounded border bg-surface text-xs">
          {places.slice(0, mostPlaces).map((place) => (
            <li key={place.path} className="border-t px-3 py-1.5 first:border-t-0">
              {place.path !== '' && <p className="break-all font-mono text-2xs text-muted">{place.path}</p>}
              <div className="grid gap-x-4 sm:grid-cols-2">
                <div className="flex min-w-0 gap-2">
                  <span className="shrink-0 select-none text-bad" title="before">
                    −<span className="sr-only">before </span>
                  </span>
                  <Side value={place.before ?? undefined} />
                </div>
                <div className="flex min-w-0 gap-2">
                  <span className="shrink-0 select-none text-ok" title="after">
                    +<span className="sr-only">after </span>
                  </span>
                  <Side value={place.after} />
                </div>
              </div>
            </li>
          ))}
        </ul>
        {places.length > mostPlaces && (
          <p className="mt-1 text-muted text-xs tabular-nums">
            {mostPlaces} of {places.length.toLocaleString('en-US')} places. The event has all of them.
          </p>
        )}
      </div>
    );
  });
}

/** Shows one side of a difference; `undefined` for nothing. */
export function Side({ value }: { readonly value: Json | undefined }) {
  if (value === undefined) return <span className="text-faint">nothing</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <span className="max-h-48 min-w-0 flex-1 overflow-auto whitespace-pre-wrap break-words font-mono text-ink">
      <VisibleText text={text} />
    </span>
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
