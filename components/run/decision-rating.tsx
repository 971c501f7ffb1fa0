'use client';

import { useEffect, useRef } from 'react';
import { Badge, type Tone } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { type DecisionOf, decisionsOf, decisionsOfKind } from '@/lib/trace/decisions';
import type { StoryProps } from './detail-props';

/** The ratings that an evaluator may give, the worst first (docs/workflows.md). */
const scale: readonly string[] = ['POOR', 'FAIR', 'GOOD', 'EXCELLENT'];

const outcomes: Readonly<
  Record<DecisionOf<'rating'>['outcome'], { readonly tone: Tone; readonly fill: string; readonly words: string }>
> = {
  accepted: { tone: 'ok', fill: 'bg-ok', words: 'Accepted' },
  refine: { tone: 'warn', fill: 'bg-warn', words: 'To be refined' },
  limit: { tone: 'bad', fill: 'bg-bad', words: 'No refinement left' },
};

const endings: Readonly<Record<DecisionOf<'rating'>['outcome'], string>> = {
  accepted: 'The answer is taken.',
  refine: 'The generator tries again with the feedback.',
  limit: 'All refinements were made: the best answer is taken.',
};

/** Shows a rating on its scale with the minimum that was asked for, what followed, and what the evaluator looked at. */
export function RatingScale({ decision }: { readonly decision: DecisionOf<'rating'> }) {
  const { outcome, focusAreas, needsImprovement } = decision;
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <Scale decision={decision} />
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].words}</Badge>
        <span className="text-ink">{endings[outcome]}</span>
        {!needsImprovement && <span className="text-muted">The evaluator asks for no improvement.</span>}
      </p>
      {focusAreas.length > 0 && (
        <ul aria-label="Focus areas" className="flex flex-wrap gap-1">
          {focusAreas.map((area) => (
            <li key={area} className="max-w-full break-words rounded bg-sunken px-1.5 py-0.5 text-ink text-xs">
              {area}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Scale({ decision, narrow }: { readonly decision: DecisionOf<'rating'>; readonly narrow?: boolean }) {
  const { rating, minRating, outcome } = decision;
  const place = scale.indexOf(rating);
  return (
    <div
      role="img"
      aria-label={`${rating} on a scale from ${scale[0]} to ${scale.at(-1)}; at least ${minRating} was asked for`}
      className="grid grid-cols-4 gap-x-1 text-2xs"
    >
      {scale.map((one, i) => (
        <div key={one} className="min-w-0">
          <div className={classNames('h-1.5 rounded-sm', i <= place ? outcomes[outcome].fill : 'bg-line-strong')} />
          <div className={classNames('mt-0.5 truncate', one === rating ? 'font-medium text-ink' : 'text-muted')}>
            {one}
          </div>
          {one === minRating && <div className="text-muted">▲ {narrow ? 'min' : 'minimum'}</div>}
        </div>
      ))}
      {place === -1 && <div className="col-span-4 font-medium text-ink">{rating}</div>}
    </div>
  );
}

/** Shows all attempts so far side by side: the answer's instance, its rating and the feedback. */
export function Attempts({ trace, lane, span, moment, onSelect }: StoryProps) {
  const all = decisionsOf(trace, lane, moment);
  const ratings = decisionsOfKind(all, 'rating');
  const list = useRef<HTMLOListElement>(null);
  const place = ratings.findIndex((one) => one.span === span);
  useEffect(() => {
    const card = list.current?.children[place];
    if (list.current !== null && card instanceof HTMLElement) list.current.scrollLeft = card.offsetLeft - 24;
  }, [place]);
  if (ratings.length === 0 || (ratings.length === 1 && ratings[0]?.span === span)) return null;
  return (
    <section className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">
        {ratings.length === 1 ? '1 attempt' : `${ratings.length} attempts`}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <ol ref={list} aria-label="Attempts" tabIndex={0} className="relative flex gap-2 overflow-x-auto pb-1">
        {ratings.map((one) => {
          const { attempt, feedback, outcome } = one.decision;
          const isThis = one.span === span;
          return (
            <li
              key={one.seq}
              aria-current={isThis || undefined}
              className={classNames(
                'flex w-72 max-w-full shrink-0 flex-col gap-1.5 rounded border p-2 text-xs',
                isThis && 'border-accent bg-accent-soft',
              )}
            >
              <div className="flex items-center gap-2">
                <button
                  type="button"
                  onClick={() => onSelect(one.span)}
                  className="cursor-pointer font-medium text-accent underline-offset-2 hover:underline"
                >
                  Attempt {attempt}
                </button>
                <span className="flex-1" />
                <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].words}</Badge>
              </div>
              <Scale decision={one.decision} narrow />
              <p className="line-clamp-5 break-words text-ink">{feedback}</p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
