import { Bot, Braces, ChevronRight, Hand, Plug, SquareTerminal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { SaidTail } from '@/components/run/said-text';
import type { LiveTrace } from '@/components/run/use-run';
import { useSaid } from '@/components/run/use-said';
import { InstanceName } from '@/components/timeline/instance-name';
import { laneStatus, statusOf } from '@/components/timeline/span-status';
import { classNames } from '@/components/ui/class-names';
import { later } from '@/components/ui/later';
import { type Status, StatusLabel } from '@/components/ui/status';
import type { Json } from '@/lib/base/json';
import { saidLine } from '@/lib/trace/said-line';
import { type LineBar, lineBar, lineTime, openBelow, type ThreadLine } from '@/lib/trace/thread-lines';
import { spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

const CallDetail = later(async () => (await import('./call-detail')).CallDetail);

type Call = Extract<ThreadLine, { kind: 'delegation' | 'tool' }>;

export interface CallLineProps {
  readonly run: LiveTrace;
  readonly line: Call;
  /** Shows what an instance did. */
  readonly nested: (lane: number) => ReactNode;
  /** What the child was asked, once it has been loaded. */
  readonly input: string | undefined;
  /** The arguments of a tool, once they have been loaded. */
  readonly args: Json | undefined;
}

/** One call in one line: who, with what, a bar in the time of the turn, how long. It opens to everything about the call. */
export function CallLine({ run, line, nested, input, args }: CallLineProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { trace } = run;
  const now = run.now();
  const waiting = openBelow(trace, line);
  const status = statusOfLine(trace, line, waiting > 0);
  const words = oneLine(input ?? textOfArgs(args));
  const isChild = line.kind === 'delegation';
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className={classNames(
          'grid w-full min-w-0 cursor-pointer grid-cols-[auto_auto_minmax(0,1fr)_auto_auto] items-center gap-x-2 rounded px-1 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2',
          isChild ? 'min-h-8 py-1' : 'min-h-7',
        )}
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 text-faint transition-transform duration-100', isOpen && 'rotate-90')}
        />
        <LineIcon {...{ trace, line }} />
        <span className="flex min-w-0 items-baseline gap-2">
          <span
            className={classNames('flex min-w-0 max-w-[60%] shrink-0', isChild ? 'font-medium' : 'font-mono text-2xs')}
          >
            <InstanceName name={nameOf(trace, line)} strong={isChild} />
          </span>
          {isChild && line.attempts > 1 && <span className="shrink-0 text-muted">attempt {line.attempts}</span>}
          <LineWords {...{ run, line, words }} isOpen={status === 'running'} />
        </span>
        <span className="flex items-center gap-1.5 text-muted tabular-nums max-sm:hidden">
          <Bar bar={lineBar(trace, line, now)} status={status} />
        </span>
        <span className="flex items-center justify-end gap-1.5 text-muted tabular-nums">
          {waiting > 0 && <Hand aria-hidden className="size-3.5 text-warn" />}
          <span className="min-w-13 text-right">{formatDuration(lineTime(trace, line, now))}</span>
          <StatusLabel status={status} look="icon" />
        </span>
        <span className="col-span-2 sm:hidden" />
        <span className="col-span-3 min-w-0 pb-1 sm:hidden">
          <Bar bar={lineBar(trace, line, now)} status={status} isWide />
        </span>
      </button>
      {isOpen && (
        <div id={id} className="mb-2 ml-[0.9rem] min-w-0 border-l pl-3">
          <CallDetail {...{ run, line, nested }} />
        </div>
      )}
    </div>
  );
}

/** What a child was asked, or what it says now. */
function LineWords(props: {
  readonly run: LiveTrace;
  readonly line: Call;
  readonly words: string;
  readonly isOpen: boolean;
}) {
  const { run, line, words, isOpen } = props;
  const saying = useSaid(run.said, run.trace);
  const said = isOpen && line.kind === 'delegation' ? saying.find(({ lane }) => lane === line.lane) : undefined;
  if (said !== undefined) return <SaidTail line={saidLine(said.parts)} className="flex-1 text-muted" />;
  return (
    <span className={classNames('min-w-0 flex-1 truncate text-muted', line.kind === 'tool' && 'font-mono text-2xs')}>
      {words}
    </span>
  );
}

const barColours: Partial<Record<Status, string>> = { failed: 'bg-bad', timeout: 'bg-bad', cancelled: 'bg-queued' };

function Bar({ bar, status, isWide }: { readonly bar: LineBar; readonly status: Status; readonly isWide?: boolean }) {
  const { from, to, waits } = bar;
  const place = (part: { readonly from: number; readonly to: number }) => ({
    left: `${part.from * 100}%`,
    width: `max(2px, ${(part.to - part.from) * 100}%)`,
  });
  return (
    <span
      aria-hidden
      className={classNames(
        'relative block overflow-hidden rounded-full bg-hover',
        isWide ? 'h-1 w-full' : 'h-1.5 w-28 lg:w-40',
      )}
    >
      <span
        className={classNames(
          'absolute inset-y-0 rounded-full',
          barColours[status] ?? 'bg-agent',
          status === 'running' && 'opacity-80',
        )}
        style={place({ from, to })}
      />
      {waits.map((wait) => (
        <span key={wait.from} className="absolute inset-y-0 bg-warn" style={place(wait)} />
      ))}
    </span>
  );
}

function LineIcon({ trace, line }: { readonly trace: Trace; readonly line: Call }) {
  const className = 'size-3.5 shrink-0';
  if (line.kind === 'delegation') return <Bot aria-hidden className={classNames(className, 'text-agent')} />;
  switch (trace.spans.sourceOf(line.span)) {
    case 'mcp':
      return <Plug aria-hidden className={classNames(className, 'text-server')} />;
    case 'function':
      return <Braces aria-hidden className={classNames(className, 'text-function')} />;
    default:
      return <SquareTerminal aria-hidden className={classNames(className, 'text-builtin')} />;
  }
}

function nameOf(trace: Trace, line: Call): string {
  const lane = line.kind === 'delegation' ? trace.lanes[line.lane ?? -1] : undefined;
  return lane?.instanceName ?? spanName(trace, line.span);
}

function statusOfLine(trace: Trace, line: Call, isAsking: boolean): Status {
  const lane = line.kind === 'delegation' ? trace.lanes[line.lane ?? -1] : undefined;
  if (lane !== undefined) return laneStatus(lane, isAsking);
  const status = statusOf(trace, line.span);
  return isAsking && status === 'running' ? 'suspended' : status;
}

const wordUnits = 200;

function oneLine(text: string): string {
  return text
    .slice(0, wordUnits * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, wordUnits);
}

function textOfArgs(args: Json | undefined): string {
  if (args === undefined) return '';
  if (typeof args === 'string') return args;
  const text = JSON.stringify(args);
  return text === '{}' ? '' : text;
}
