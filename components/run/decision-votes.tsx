'use client';

import { CircleSlash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import type { Decided, DecisionOf } from '@/lib/trace/decisions';
import { type VotedAnswer, type VoteStory, voteStory } from '@/lib/trace/vote-story';
import type { StoryProps } from './detail-props';

const atOnce = 20;

/** Shows the votes for each answer, the lead after each sample, and the samples that do not count. */
export function Votes({ trace, lane, span, moment, onSelect }: StoryProps) {
  const story = voteStory(trace, lane, moment);
  const { samples, discarded, end, answers } = story;
  if (samples.length === 0 && end === undefined) return null;
  const selected = samples.find((one) => one.span === span)?.decision;
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <p className="text-ink text-xs tabular-nums">{soFar(story)}</p>
      <Bars answers={answers} marked={selected?.answer} />
      {samples.length > 1 && <Lead samples={samples} k={end?.k} selected={selected?.sample} />}
      {discarded.length > 0 && <Discarded samples={discarded} onSelect={onSelect} />}
    </section>
  );
}

function soFar({ samples, discarded, margin, end }: VoteStory): string {
  const counted = samples.length - discarded.length;
  const votes = `${counted === 1 ? '1 vote' : `${counted} votes`} of ${samples.length === 1 ? '1 sample' : `${samples.length} samples`}`;
  if (end === undefined) return `${votes} so far. The lead is ${margin}.`;
  return end.outcome === 'won'
    ? `${votes}. The first answer leads by ${margin}; ${end.k} were needed.`
    : `${votes}. No answer led by ${end.k}, so the one with most votes was taken. Its lead is ${margin}.`;
}

function Bars(props: { readonly answers: readonly VotedAnswer[]; readonly marked: string | undefined }) {
  const { answers, marked } = props;
  const [shown, setShown] = useState(atOnce);
  const most = Math.max(1, ...answers.map(({ count }) => count));
  return (
    <div>
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">Votes per answer</h3>
      <ol aria-label="Votes per answer" className="flex flex-col gap-1.5 text-xs">
        {answers.slice(0, shown).map(({ answer, count }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two answers may begin alike, and the order is their rank
          <li key={place} aria-current={answer === marked || undefined} className="min-w-0">
            <div className="flex items-baseline gap-2">
              <span
                title={answer}
                className={classNames(
                  'line-clamp-2 min-w-0 flex-1 break-words font-mono',
                  answer === marked || place === 0 ? 'text-ink' : 'text-muted',
                )}
              >
                {answer === '' ? '(empty)' : answer}
              </span>
              <span className="shrink-0 text-ink tabular-nums">{count === 1 ? '1 vote' : `${count} votes`}</span>
            </div>
            <div className="mt-0.5 h-1.5 overflow-hidden rounded-sm bg-sunken">
              <div
                className={classNames('h-full', place === 0 ? 'bg-accent' : 'bg-queued')}
                style={{ width: `${(count / most) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ol>
      {answers.length > shown && (
        <Button size="sm" className="mt-1" onClick={() => setShown(shown + 5 * atOnce)}>
          Show {Math.min(answers.length - shown, 5 * atOnce)} more
        </Button>
      )}
    </div>
  );
}

const chart = { width: 320, height: 64 };

/** Draws the lead after each sample as a step line, with a dashed line at the lead that was needed. */
function Lead(props: {
  readonly samples: readonly Decided<DecisionOf<'vote'>>[];
  readonly k: number | undefined;
  readonly selected: number | undefined;
}) {
  const { samples, k, selected } = props;
  const highest = Math.max(1, k ?? 0, ...samples.map(({ decision }) => decision.margin));
  const x = (sample: number) => (sample / samples.length) * chart.width;
  const y = (margin: number) => chart.height - 2 - (margin / highest) * (chart.height - 6);
  const line = samples.map(({ decision }, i) => `H${x(i + 1).toFixed(1)}V${y(decision.margin).toFixed(1)}`).join('');
  const last = samples.at(-1)?.decision.margin ?? 0;
  return (
    <figure className="min-w-0">
      <figcaption className="flex h-7 items-center justify-between gap-2 text-2xs text-muted">
        <span className="font-medium">Lead after each sample</span>
        <span className="tabular-nums">
          now {last}
          {k !== undefined && `, needed ${k}`}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`Lead after each sample: ${leadWords(samples)}`}
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        preserveAspectRatio="none"
        className="block h-16 w-full rounded border bg-surface"
      >
        {k !== undefined && (
          <path
            d={`M0 ${y(k)}H${chart.width}`}
            stroke="var(--ok)"
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {selected !== undefined && (
          <path d={`M${x(selected)} 0V${chart.height}`} stroke="var(--line-strong)" vectorEffect="non-scaling-stroke" />
        )}
        <path
          d={`M0 ${y(0)}${line}`}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </figure>
  );
}

/** A list that can be read out: the last of many samples only. */
function leadWords(samples: readonly Decided<DecisionOf<'vote'>>[]): string {
  const read = samples.slice(-12).map(({ decision }) => decision.margin);
  return `${samples.length > read.length ? '… ' : ''}${read.join(', ')}`;
}

function Discarded(props: {
  readonly samples: readonly Decided<DecisionOf<'vote'>>[];
  readonly onSelect: (span: number) => void;
}) {
  const { samples, onSelect } = props;
  const [shown, setShown] = useState(atOnce);
  return (
    <div>
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">
        {samples.length === 1 ? '1 sample left out' : `${samples.length} samples left out`}
      </h3>
      <ul aria-label="Samples left out" className="overflow-hidden rounded border text-xs">
        {samples.slice(0, shown).map(({ span, seq, decision }) => (
          <li key={seq} className="border-t first:border-t-0">
            <button
              type="button"
              onClick={() => onSelect(span)}
              className="flex w-full cursor-pointer items-center gap-2 px-2 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <CircleSlash2 aria-hidden className="size-3.5 shrink-0 text-bad" />
              <span className="shrink-0 text-muted tabular-nums">Sample {decision.sample}</span>
              <span className="min-w-0 flex-1 break-words text-ink">{decision.discarded}</span>
            </button>
          </li>
        ))}
      </ul>
      {samples.length > shown && (
        <Button size="sm" className="mt-1" onClick={() => setShown(shown + 5 * atOnce)}>
          Show {Math.min(samples.length - shown, 5 * atOnce)} more
        </Button>
      )}
    </div>
  );
}
