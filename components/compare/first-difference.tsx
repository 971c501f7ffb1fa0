'use client';

import { ChevronDown, ChevronUp, CircleCheck, LoaderCircle, Split } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import type { Difference } from '@/lib/trace/compare/compare-runs';
import type { Trace } from '@/lib/trace/trace';
import { formatCount } from '@/lib/trace/wording';
import { describeDifference } from './compare-words';

export interface FirstDifferenceProps {
  readonly a: Trace;
  readonly b: Trace;
  readonly differences: readonly Difference[];
  /** The place of the chosen difference in the list; -1 for none. */
  readonly chosen: number;
  readonly isPartial: boolean;
  /** The share of the comparison that is done, from 0 to 1. */
  readonly progress: number;
  /** True while a run goes on, which may still differ later. */
  readonly live: boolean;
  readonly error: string | undefined;
  readonly onChoose: (place: number) => void;
}

/** Says where the runs first differ, and leads there and to the others. */
export function FirstDifference(props: FirstDifferenceProps) {
  const { a, b, differences, chosen, isPartial, progress, live, error, onChoose } = props;
  const percent = `${Math.floor(progress * 100)} %`;
  const [first] = differences;
  const described = first && describeDifference(a, b, first);
  return (
    <section
      aria-label="First difference"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-ground px-3 py-1.5 text-xs sm:px-4"
    >
      {described === undefined ? (
        <p role="status" className="flex items-center gap-1.5 text-muted">
          {isPartial ? (
            <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
          ) : (
            <CircleCheck aria-hidden className="size-3.5 text-ok" />
          )}
          {isPartial ? `Comparing: ${percent}` : live ? 'No difference so far' : 'No step differs'}
        </p>
      ) : (
        <>
          <p className="flex min-w-0 items-center gap-1.5">
            <Split aria-hidden className="size-3.5 shrink-0 text-warn" />
            <span className="min-w-0">
              <span className="text-muted">First difference: </span>
              <span className="font-medium text-ink">{described.title}</span>
              <span className="text-muted">
                {' '}
                of {described.instance}, {described.words}
              </span>
            </span>
          </p>
          <Button size="sm" onClick={() => onChoose(0)}>
            Show it
          </Button>
          <span className="flex items-center">
            <IconButton
              size="sm"
              label="Difference before"
              keys="Shift+N"
              icon={<ChevronUp aria-hidden />}
              onClick={() => onChoose(chosen <= 0 ? differences.length - 1 : chosen - 1)}
            />
            <IconButton
              size="sm"
              label="Next difference"
              keys="N"
              icon={<ChevronDown aria-hidden />}
              onClick={() => onChoose((chosen + 1) % differences.length)}
            />
            <span className="ml-1 text-muted tabular-nums">
              {chosen < 0 ? '' : `${formatCount(chosen + 1)} of `}
              {formatCount(differences.length)} {differences.length === 1 ? 'difference' : 'differences'}
            </span>
          </span>
          {isPartial && (
            <span className="text-muted tabular-nums">Arguments and results are being compared: {percent}</span>
          )}
        </>
      )}
      {error !== undefined && (
        <p role="alert" className="text-bad">
          Arguments and results could not be compared. {error}
        </p>
      )}
    </section>
  );
}
