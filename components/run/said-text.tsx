import { classNames } from '@/components/ui/class-names';
import { type SaidLine, saidLine } from '@/lib/trace/said-line';
import type { Trace } from '@/lib/trace/trace';
import type { LiveSaid, Said } from './live-said';
import { useSaid } from './use-said';

/** More calls than this are counted and not shown. */
const mostShown = 4;

/** Shows what models say now, each with its instance. */
export function SaysNow(props: {
  readonly said: LiveSaid;
  readonly trace: Trace;
  readonly onSelect: (span: number) => void;
}) {
  const { said, trace, onSelect } = props;
  const saying = useSaid(said, trace);
  if (saying.length === 0) return null;
  const shown = saying.slice(-mostShown);
  return (
    <section aria-label="What models say now" className="flex flex-col gap-3">
      {shown.map((one) => (
        <div key={one.step} className="min-w-0">
          <button
            type="button"
            onClick={() => onSelect(one.span)}
            className="h-7 max-w-full cursor-pointer truncate font-medium text-2xs text-accent underline-offset-2 hover:underline"
          >
            {trace.lanes[one.lane]?.instanceName}
          </button>
          <SaidText said={one} />
        </div>
      ))}
      {saying.length > shown.length && (
        <p className="text-muted text-xs">and {saying.length - shown.length} more models that answer now</p>
      )}
    </section>
  );
}

/** Shows what the model call of a span says now; nothing if it says nothing. */
export function SaidOfSpan(props: { readonly said: LiveSaid; readonly trace: Trace; readonly span: number }) {
  const one = useSaid(props.said, props.trace).find(({ span }) => span === props.span);
  if (one === undefined) return null;
  return (
    <section aria-label="Answer so far">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">Answer so far</h3>
      <SaidText said={one} />
    </section>
  );
}

/** Shows all parts of an answer so far. The box stays at its end while text is added. */
function SaidText({ said: { parts } }: { readonly said: Said }) {
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      className="flex max-h-60 flex-col-reverse overflow-auto rounded border bg-surface px-3 py-2"
    >
      <div className="flex flex-col gap-2">
        {parts.map(({ part, call, toolName, said }) => (
          <p
            key={call === undefined ? part : `${part} ${call}`}
            className={classNames(
              'whitespace-pre-wrap break-words',
              part === 'text' ? 'text-ink text-sm' : 'text-muted text-xs',
              part === 'reasoning' && 'italic',
              part === 'arguments' && 'font-mono',
            )}
          >
            {part === 'arguments' && <span className="text-ink">{toolName} </span>}
            {said.start > 0 && '…'}
            {said.text()}
          </p>
        ))}
      </div>
    </div>
  );
}

const words: Readonly<Record<SaidLine['how'], string>> = { says: 'says→', thinks: 'thinks→', calls: 'calls→' };

/** Shows what a model says now as a row of the history. */
export function SaidRow(props: {
  readonly said: Said | undefined;
  readonly selected: boolean;
  readonly onSelect: () => void;
}) {
  const line = saidLine(props.said?.parts ?? []);
  return (
    <button
      type="button"
      data-row
      aria-pressed={props.selected}
      onClick={props.onSelect}
      className={classNames(
        'flex size-full cursor-pointer items-center gap-1.5 border-ground border-b pr-2 pl-7 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2',
        props.selected && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <span className="w-13 shrink-0 font-mono text-2xs text-muted">{words[line.how]}</span>
      <SaidTail line={line} className="flex-1 text-ink" />
    </button>
  );
}

/** Shows the end of a line where it is too long. */
export function SaidTail({ line, className }: { readonly line: SaidLine; readonly className?: string }) {
  return (
    <span className={classNames('flex min-w-0 overflow-hidden whitespace-pre', className)}>
      {/* What does not fit overflows at the beginning, because the end is what is new. */}
      <span
        className={classNames(
          'flex min-w-0 max-w-full justify-end overflow-hidden',
          line.how === 'thinks' && 'italic',
          line.how === 'calls' && 'font-mono',
        )}
      >
        {line.text}
      </span>
    </span>
  );
}
