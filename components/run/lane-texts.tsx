import { axisPx } from '@/components/timeline/timeline-height';
import type { BarsPlace } from '@/components/timeline/timeline-props';
import { classNames } from '@/components/ui/class-names';
import { saidLine } from '@/lib/trace/said-line';
import type { Trace } from '@/lib/trace/trace';
import type { LiveSaid } from './live-said';
import { SaidTail } from './said-text';
import { useSaid } from './use-said';

/** Shows what models say now at the end of their lanes. Lanes that are lines have no room for words. */
export function LaneTexts(props: { readonly said: LiveSaid; readonly trace: Trace; readonly place: BarsPlace }) {
  const { said, trace, place } = props;
  const { rows, scrollTop, height, window } = place;
  const saying = useSaid(said, trace);
  if (rows.laneHeight < 12) return null;
  const low = rows.laneHeight < 24;
  return (
    <ul aria-label="What models say now" className="pointer-events-none absolute inset-x-0 top-0">
      {saying.map(({ step, lane, span, parts }) => {
        const row = rows.rowOf[lane] ?? -1;
        const top = (rows.tops[row] ?? 0) - scrollTop;
        if (row < 0 || top < -rows.laneHeight || top > height) return null;
        if (window !== undefined && trace.spans.start.at(span) > window.to) return null;
        return (
          <li
            key={step}
            style={{ top: axisPx + top }}
            className={classNames(
              'absolute right-1 flex max-w-3/5 items-center overflow-hidden rounded-sm border-model border-r-2 bg-surface px-1.5 text-ink shadow-card',
              low ? 'h-3 text-[10px] leading-none' : 'mt-1 h-4.5 text-2xs',
            )}
          >
            <span className="sr-only">{trace.lanes[lane]?.instanceName}: </span>
            <SaidTail line={saidLine(parts)} />
          </li>
        );
      })}
    </ul>
  );
}
