'use client';

import { useDeferredValue, useMemo } from 'react';
import { useProjectAs, useReadProject } from '@/components/editor-state/project-context';
import type { LiveTrace } from '@/components/run/use-run';
import { VisibleText } from '@/components/ui/visible-text';
import { strangersOf } from '@/lib/editor/last-calls';
import { sameDrawing } from '@/lib/graph/same-drawing';
import { formatCount } from '@/lib/trace/wording';

const mostNamed = 20;

/** Names what the run called and the canvas does not draw, so that nobody looks for its values there. */
export function Strangers({ run }: { readonly run: LiveTrace }) {
  const readProject = useReadProject();
  // Typed words change nothing here.
  const graph = useProjectAs((state) => state.picture.graph, sameDrawing);
  const version = useDeferredValue(run.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place, and the picture with its graph
  const strangers = useMemo(() => strangersOf(run.trace, readProject().picture), [run.trace, version, graph]);
  if (strangers.length === 0) return null;
  return (
    <section aria-label="Not in this project now" className="border-t p-3">
      <h3 className="font-medium text-muted text-xs">Not in this project now</h3>
      <p className="text-muted text-xs">
        The run called these. They were renamed or removed since, or made during the run.
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-xs">
        {strangers.slice(0, mostNamed).map(({ kind, name, calls }) => (
          <li key={`${kind} ${name}`} className="flex min-w-0 items-baseline gap-1.5">
            <span className="shrink-0 text-muted">{kind}</span>
            <span className="min-w-0 truncate text-ink">
              <VisibleText text={name} />
            </span>
            <span className="ml-auto shrink-0 text-muted tabular-nums">
              {calls === 1 ? '1 call' : `${formatCount(calls)} calls`}
            </span>
          </li>
        ))}
      </ul>
      {strangers.length > mostNamed && (
        <p className="text-muted text-xs tabular-nums">
          {mostNamed} of {formatCount(strangers.length)}
        </p>
      )}
    </section>
  );
}
