'use client';

import { QuestionCard } from '@/components/people/question-card';
import { ScoreControl } from '@/components/scores/score-control';
import { ScoreNotes } from '@/components/scores/score-notes';
import { clockDate } from '@/components/timeline/clock-words';
import { statusOf } from '@/components/timeline/span-status';
import { kindWord, spanNotes } from '@/components/timeline/span-words';
import { childrenOf, parentSpan } from '@/components/timeline/walk';
import { CopyButton } from '@/components/ui/copy-button';
import { StatusLabel } from '@/components/ui/status';
import type { Fetched } from '@/lib/client/event-cache';
import { surfaceLink } from '@/lib/editor/surface-link';
import { hookOwnTime } from '@/lib/trace/hook-story';
import type { ShortEvent } from '@/lib/trace/short-event';
import { spanEnd, spanTitle, type Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration, formatShare } from '@/lib/trace/wording';
import { AgainActions } from './again-actions';
import { NoTexts } from './bare-result';
import { DecisionDetail } from './decision-detail';
import { DecisionStory } from './decision-story';
import { DelegationBadge, InstanceLink } from './delegation';
import type { SpanDetailProps } from './detail-props';
import { EventParts } from './event-parts';
import { FrameworkDetail } from './framework-detail';
import { HookChain } from './hook-chain';
import { HookChanges } from './hook-changes';
import { HookDifferences } from './hook-detail';
import { LinkFacts } from './link-facts';
import { ModelCall } from './model-call';
import { ModelFacts } from './model-facts';
import { type RunSight, useRunSight } from './run-sight';
import { SaidOfSpan } from './said-text';
import { EventFacts, InstanceFacts } from './span-facts';
import { SpanTitleLink } from './span-title-link';
import { concerns, isWritten, StateList } from './state-list';
import { useFetched } from './use-run';

/** Shows everything about one span: its kind, its duration, its input and its output. */
export function SpanDetail(props: SpanDetailProps) {
  const { trace, span } = props;
  const kind = trace.spans.kindOf(span);
  if (kind === 'framework') return <FrameworkDetail {...props} />;
  return kind === 'decision' ? <DecisionDetail {...props} /> : <StepDetail {...props} />;
}

function StepDetail(props: SpanDetailProps) {
  const { trace, span, now, cache, said, onSelect, moment, projectId, again, textsFirst = false } = props;
  const { spans } = trace;
  const events = useFetched(cache, [spans.startSeq.at(span), spans.endSeq.at(span)]);
  const [started, last] = events;
  const ended = last !== undefined && last !== 'loading' && 'value' in last ? last.value : undefined;
  const sight = useRunSight();
  const isDelegation = spans.sourceOf(span) === 'agent';
  const wrote =
    sight !== 'bare' &&
    isInstance(trace, span) &&
    trace.notes.some((note) => isWritten(note) && concerns(note, spans.lane.at(span)));
  const texts = (
    <>
      {ended?.kind === 'hook.ended' && <HookDifferences event={ended} />}
      <Texts {...props} events={events} sight={sight} />
    </>
  );
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="min-w-0">
        <h2 className="break-words font-medium text-ink text-sm">{spanTitle(trace, span)}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
          {isDelegation ? <DelegationBadge /> : kindWord(trace, span)}
          <StatusLabel status={statusOf(trace, span)} look="plain" />
          {[...spanNotes(trace, span), ...takenNote(trace, span)].map((note) => (
            <span key={note} className="text-ink">
              {note}
            </span>
          ))}
        </div>
      </div>
      {textsFirst && texts}
      <ScoreControl span={spans.startSeq.at(span)} />
      <ScoreNotes span={spans.startSeq.at(span)} />
      {again !== undefined && projectId !== undefined && spans.kindOf(span) !== 'waiting' && (
        <AgainActions key={span} {...{ trace, span, projectId }} services={again} />
      )}
      <Facts {...{ trace, span, now, onSelect, started, ended, projectId }} />
      {moment === undefined && sight === 'whole' && <OpenQuestion {...{ trace, span, started }} />}
      {isInstance(trace, span) && <DecisionStory {...{ trace, span, onSelect, moment }} />}
      {spans.kindOf(span) === 'hook' && (
        <HookChanges {...{ trace, span, projectId, onSelect }} version={trace.version} />
      )}
      <HookChain {...{ trace, span, now, cache, onSelect }} />
      <SaidOfSpan {...{ said, trace, span }} />
      {!textsFirst && texts}
      {wrote && (
        <div className="-mx-3 border-t">
          <StateList
            trace={trace}
            version={trace.version}
            cache={cache}
            lane={spans.lane.at(span)}
            onSelect={onSelect}
          />
        </div>
      )}
    </div>
  );
}

/** Shows the input and the output of a step, or says why there is none. */
function Texts(
  props: Pick<SpanDetailProps, 'trace' | 'span' | 'moment'> & {
    readonly events: readonly (Fetched<ShortEvent> | undefined)[];
    readonly sight: RunSight;
  },
) {
  const { trace, span, moment, events, sight } = props;
  const { spans } = trace;
  const isAsking = spans.kindOf(span) === 'waiting' && spans.statusOf(span) === 'open' && moment === undefined;
  if (sight === 'bare') return <NoTexts />;
  return (
    <>
      {hasRequest(events[0]) ? (
        <>
          <ModelCall
            key={spans.startSeq.at(span)}
            runId={trace.run.runId}
            seq={spans.startSeq.at(span)}
            endSeq={spans.endSeq.at(span)}
            withAnswer={moment === undefined || spans.end.at(span) <= moment}
          />
          <EventParts runId={trace.run.runId} event={events[0]} isShown={({ isOfSource }) => isOfSource === true} />
        </>
      ) : (
        !isAsking &&
        events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two fixed places, start and end
          <EventParts key={i} runId={trace.run.runId} event={event} />
        ))
      )}
      {spans.endSeq.at(span) === 0 && <p className="text-muted text-xs">{noOutputYet(trace, span)}</p>}
    </>
  );
}

/** Takes the answer to a question that waits. */
function OpenQuestion(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly started: Fetched<ShortEvent> | undefined;
}) {
  const { trace, span, started } = props;
  const { spans } = trace;
  if (spans.kindOf(span) !== 'waiting' || spans.statusOf(span) !== 'open') return null;
  if (started === undefined || started === 'loading' || !('value' in started)) return null;
  if (started.value.kind !== 'person.asked') return null;
  return (
    <div className="-mx-3 border-y">
      <QuestionCard id={started.value.item} version={span} inRun />
    </div>
  );
}

/** Says that a span comes from the record of another run. */
function takenNote({ logs, spans }: Trace, span: number): readonly string[] {
  const seam = logs.find(({ code }) => code === takenCode);
  return seam !== undefined && spans.startSeq.at(span) < seam.seq ? ['From the record of another run'] : [];
}

/** The line of the log after everything that was taken from another run. */
const takenCode = 'run_again_from';

/** True for the start of a model call whose whole request is recorded. Logs of older versions have none. */
function hasRequest(event: Fetched<ShortEvent> | undefined): boolean {
  if (event === undefined || event === 'loading' || !('value' in event)) return false;
  return event.value.kind === 'model.started' && event.value.request !== undefined;
}

/** Writes `1,200 in (800 cached)`. */
function tokenWords(count: number, word: string, part: number, partWord: string): string {
  return `${formatCount(count)} ${word}${part > 0 ? ` (${formatCount(part)} ${partWord})` : ''}`;
}

/** Shows times, place, tokens and ids, as a list of terms. */
function Facts(props: {
  readonly trace: Trace;
  readonly span: number;
  readonly now: number;
  readonly onSelect: (span: number) => void;
  readonly started: Fetched<ShortEvent> | undefined;
  readonly ended: ShortEvent | undefined;
  readonly projectId: string | undefined;
}) {
  const { trace, span, now, onSelect, started, ended, projectId } = props;
  const { spans } = trace;
  const lane = trace.lanes[spans.lane.at(span)];
  const start = spans.start.at(span);
  const duration = spanEnd(trace, span, now) - start;
  const end = Math.max(trace.run.status === undefined ? now : trace.lastAt, 1);
  const parent = parentSpan(trace, span);
  const tokens = spans.inputTokens.at(span) + spans.outputTokens.at(span);
  const isDelegation = spans.sourceOf(span) === 'agent';
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs [&>dd]:min-w-0 [&>dd]:break-words [&>dd]:text-ink [&>dd]:tabular-nums [&>dt]:text-muted">
      <dt>Duration</dt>
      <dd>
        {formatDuration(duration)}
        <span className="text-muted">
          {parent !== undefined &&
            ` · ${formatShare(duration, spanEnd(trace, parent, now) - spans.start.at(parent))} of its parent`}
          {` · ${formatShare(duration, end)} of the run`}
        </span>
      </dd>
      <OwnTime {...{ trace, span, now }} />
      <dt>Starts at</dt>
      <dd>
        {formatDuration(start)}
        <span className="text-muted"> · {clockDate(trace, start)}</span>
      </dd>
      <dt>Instance</dt>
      <dd>{lane?.path}</dd>
      {parent !== undefined && <ParentFact {...{ trace, parent, onSelect }} />}
      <LinkFacts {...{ trace, started, projectId, onSelect }} />
      {isDelegation && (
        <>
          <dt>Runs</dt>
          <dd>
            <Children {...{ trace, span, onSelect }} />
          </dd>
        </>
      )}
      {tokens > 0 && (
        <>
          <dt>Tokens</dt>
          <dd>
            {tokenWords(spans.inputTokens.at(span), 'in', spans.cachedTokens.at(span), 'cached')} ·{' '}
            {tokenWords(spans.outputTokens.at(span), 'out', spans.reasoningTokens.at(span), 'reasoning')}
          </dd>
        </>
      )}
      {ended?.kind === 'model.ended' && <ModelFacts {...{ trace, span, duration }} event={ended} />}
      {isInstance(trace, span) && lane !== undefined && <InstanceFacts lane={lane} askedAs={trace.run.askedAs} />}
      {isInstance(trace, span) && lane !== undefined && <SurfaceFact {...{ trace, lane, projectId }} />}
      <EventFacts event={started} />
      {ended?.kind === 'hook.ended' && (
        <>
          <dt>Called next</dt>
          <dd>{ended.calledNext ? 'yes' : 'no'}</dd>
        </>
      )}
      {lane !== undefined && (
        <>
          <dt>Correlation id</dt>
          <dd className="flex items-center gap-1">
            <span className="min-w-0 truncate font-mono">{lane.correlationId}</span>
            <CopyButton text={lane.correlationId} label="Copy correlation id" />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Shows how long a hook itself worked. */
function OwnTime({ trace, span, now }: Pick<SpanDetailProps, 'trace' | 'span' | 'now'>) {
  const own = trace.spans.kindOf(span) === 'hook' ? hookOwnTime(trace, span, now) : undefined;
  if (own === undefined) return null;
  return (
    <>
      <dt>Own time</dt>
      <dd>
        {formatDuration(own)}
        <span className="text-muted"> without what it wraps</span>
      </dd>
    </>
  );
}

/** Links to the tools and the instruction that the model of an instance was given. */
function SurfaceFact(props: {
  readonly trace: Trace;
  readonly lane: Trace['lanes'][number];
  readonly projectId: string | undefined;
}) {
  const { trace, lane, projectId } = props;
  if (lane.usage.modelCalls === 0 || projectId === undefined) return null;
  return (
    <>
      <dt>Its model</dt>
      <dd>
        <a
          href={surfaceLink(projectId, lane.agentName, { run: trace.run.runId, instance: lane.path })}
          className="text-accent underline-offset-2 hover:underline"
        >
          What the model saw
        </a>
      </dd>
    </>
  );
}

function ParentFact(props: {
  readonly trace: Trace;
  readonly parent: number;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, parent, onSelect } = props;
  return (
    <>
      <dt>Inside</dt>
      <dd>
        <SpanTitleLink {...{ trace, onSelect }} span={parent} />
      </dd>
    </>
  );
}

function isInstance(trace: Trace, span: number): boolean {
  const kind = trace.spans.kindOf(span);
  return kind === 'instance' || kind === 'queued';
}

/** Says why a span that has no end event has no output. */
function noOutputYet(trace: Trace, span: number): string {
  switch (trace.spans.statusOf(span)) {
    case 'interrupted':
      return 'The worker ended before this step did. The step was started again.';
    case 'open':
      if (trace.spans.kindOf(span) === 'waiting') return 'Nobody has answered yet.';
      return 'Still running: the output appears here when it ends.';
    default:
      return 'It ended with the run, without an output of its own.';
  }
}

function Children({ trace, span, onSelect }: Pick<SpanDetailProps, 'trace' | 'span' | 'onSelect'>) {
  const children = childrenOf(trace, span);
  if (children.length === 0) return trace.spans.statusOf(span) === 'open' ? 'no instance yet' : 'no instance';
  return (
    <ul>
      {children.map((lane) => (
        <li key={lane.path}>
          <InstanceLink {...{ trace, lane, onSelect }} look="name" className="max-w-full" />
        </li>
      ))}
    </ul>
  );
}
