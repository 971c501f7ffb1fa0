'use client';

import { useState } from 'react';
import { type GraphPart, graphParts } from '@/lib/graph/review/graph-parts';
import { ChangeBadge } from './change-look';
import { partLabel, partName } from './part-label';
import type { GraphChangesProps } from './review-types';
import { threadsAt } from './threads-at';

type Listed = Pick<GraphChangesProps, 'drawing' | 'threads'> & { readonly onChoose: (key: string) => void };

/** The graph as lists: what changes, and on request the rest. */
export function PartList(props: Listed) {
  const { graph, changes } = props.drawing;
  const [showsRest, setShowsRest] = useState(false);
  const parts = graphParts(graph);
  const rest = parts.filter(({ key }) => changes[key] === undefined);
  return (
    <div className="flex flex-col gap-3">
      <PartButtons label="Changed parts" parts={parts.filter(({ key }) => changes[key] !== undefined)} {...props} />
      {rest.length > 0 && (
        <details onToggle={(event) => setShowsRest(event.currentTarget.open)}>
          <summary className="cursor-pointer text-muted text-sm">
            {rest.length === 1 ? 'One part stays' : `${rest.length} parts stay`}
          </summary>
          {showsRest && <PartButtons label="Other parts" parts={rest} {...props} />}
        </details>
      )}
    </div>
  );
}

export function PartButtons(props: Listed & { readonly label: string; readonly parts: readonly GraphPart[] }) {
  const { label, parts, drawing, threads, onChoose } = props;
  if (parts.length === 0) return null;
  return (
    <ul aria-label={label} className="divide-y rounded-lg border bg-surface">
      {parts.map((part) => {
        const change = drawing.changes[part.key];
        const count = threadsAt(part, drawing, threads);
        return (
          <li key={part.key}>
            <button
              type="button"
              aria-label={partLabel(part, change)}
              onClick={() => onChoose(part.key)}
              className="flex min-h-8 w-full cursor-pointer items-center gap-2 px-3 py-1 text-left text-ink text-xs hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1 break-words">{partName(part)}</span>
              {count > 0 && (
                <span
                  aria-hidden
                  data-count={count === 1 ? 'one thread' : `${count} threads`}
                  className="shrink-0 text-muted after:content-[attr(data-count)]"
                />
              )}{' '}
              {change !== undefined && <ChangeBadge change={change} />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
