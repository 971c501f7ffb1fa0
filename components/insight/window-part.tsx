import { classNames } from '@/components/ui/class-names';
import { formatCost } from '@/lib/trace/cost';
import { runFigures } from '@/lib/trace/figures';
import type { Trace } from '@/lib/trace/trace';
import type { Stretch } from '@/lib/trace/window-trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';

/** Chooses between the whole run and the window that the bars show. A dragged area is a window too. */
export function PartChoice(props: { readonly isPart: boolean; readonly onPart: (isPart: boolean) => void }) {
  return (
    <fieldset className="ml-auto flex rounded border border-line-strong">
      <legend className="sr-only">What is analysed</legend>
      {[false, true].map((part) => (
        <button
          key={String(part)}
          type="button"
          aria-pressed={props.isPart === part}
          onClick={() => props.onPart(part)}
          className={classNames(
            'flex h-5.5 cursor-pointer items-center whitespace-nowrap px-2 text-2xs first-of-type:rounded-l last-of-type:rounded-r',
            props.isPart === part ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-ink',
          )}
        >
          {part ? 'Window in view' : 'Whole run'}
        </button>
      ))}
    </fieldset>
  );
}

/** The figures of a window: calls that overlap it count, of durations the part inside. */
export function WindowFigures(props: { readonly trace: Trace; readonly now: number; readonly window: Stretch }) {
  const { window } = props;
  const { time, models, tools, errors, input, output, cost } = runFigures(props);
  const words = [
    `${formatDuration(Math.max(0, window.from))} to ${formatDuration(Math.min(window.to, props.now))}`,
    formatDuration(time),
    plural(models, 'model call'),
    plural(tools, 'tool call'),
    plural(errors, 'error'),
    `${formatCount(input + output)} tokens`,
    ...(cost === undefined ? [] : [formatCost({ usd: cost, unpriced: [] })]),
  ];
  return <p className="text-ink text-xs tabular-nums">{words.join(' · ')}</p>;
}

function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}
