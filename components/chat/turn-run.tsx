import { LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { eventOf } from '@/components/run/event-of';
import { stateOf } from '@/components/run/run-facts';
import { TryAgain } from '@/components/run/try-again';
import { type LiveTrace, useFetched, useRun } from '@/components/run/use-run';
import { useSaid } from '@/components/run/use-said';
import { announce } from '@/components/ui/announcer';
import { later } from '@/components/ui/later';
import { useLatest } from '@/components/ui/use-latest';
import { useTick } from '@/components/ui/use-tick';
import type { TurnInfo } from '@/lib/base/conversation';
import { distinctServers } from '@/lib/trace/failed-starts';
import { openQuestions } from '@/lib/trace/questions';
import { isActive, type RunState } from '@/lib/trace/run-state';
import { Answer } from './answer';
import { LineList } from './line-list';
import { TurnHead } from './turn-head';

const TurnQuestions = later(async () => (await import('./turn-questions')).TurnQuestions);

export interface TurnRunProps {
  readonly turn: TurnInfo;
  readonly agent: string;
  /** False for a run whose events are not loaded: what the list of turns knows is shown. */
  readonly isFollowed: boolean;
  /** Shown while the run waits for the one before. */
  readonly inLine?: ReactNode;
  readonly onChanged: () => void;
}

/**
 * What a run did for a message: its steps with their bars, its questions to people, and its answer while it is written. The elements
 * of head and answer stay when the run begins to be followed, so that a click at that moment meets what it began on.
 */
export function TurnRun({ turn, agent, isFollowed, inLine, onChanged }: TurnRunProps) {
  const run = useRun(turn.runId, { isFollowed });
  const { trace, phase } = run;
  // The log of a run whose worker died has no end.
  const status = isActive(turn.status) ? stateOf(run, turn.status) : turn.status;
  const goesOn = isActive(status);
  useTick(goesOn && phase !== 'loading', 250);
  useChanged(turn, status, onChanged);
  const answer = useAnswer(run, turn, status);
  const [root] = trace.roots;
  const begun = trace.lastSeq > 0;
  if (inLine && !begun) return inLine;
  const servers = distinctServers(trace.run.failedStarts);
  return (
    <>
      <TurnHead agent={agent} status={status} runId={turn.runId} time={begun ? run.now() : timeOf(turn)} />
      {root !== undefined && <LineList run={run} lane={root} depth={0} />}
      {servers.map(({ name, message }) => (
        <p key={name} className="break-words text-bad text-xs">
          Server {name} did not start: {message}
        </p>
      ))}
      {openQuestions(trace).length > 0 && <TurnQuestions run={run} />}
      {answer !== undefined && answer.text !== '' && (
        <Answer text={answer.text} runId={turn.runId} isCut={answer.isCut} isGrowing={answer.isGrowing} />
      )}
      {isFollowed && goesOn && answer === undefined && <Working run={run} status={status} />}
      {!goesOn && status === 'completed' && answer?.text === '' && (
        <p className="text-muted text-sm">The turn ended without an answer.</p>
      )}
      {run.phase === 'failed' && (
        <p className="text-bad text-xs">
          {run.error} <TryAgain lacksCode={run.lacksCode} />
        </p>
      )}
    </>
  );
}

interface ShownAnswer {
  readonly text: string;
  readonly isCut: boolean;
  readonly isGrowing: boolean;
}

/** Returns the answer, or what the agent says now. What it said stays until the answer has been loaded. */
function useAnswer(run: LiveTrace, turn: TurnInfo, status: RunState): ShownAnswer | undefined {
  const { trace, cache } = run;
  const ended = trace.run.status !== undefined;
  const saying = useSaid(run.said, trace);
  const [last] = useFetched(cache, [ended && turn.answer === null ? trace.lastSeq : 0]);
  const finished = eventOf(last, 'run.finished');
  const shown = useRef<{ readonly text: string; readonly steps: number }>(undefined);
  const part = saying.find(({ lane }) => lane === trace.roots[0])?.parts.findLast((one) => one.part === 'text');
  const now = part && `${part.said.start > 0 ? '…' : ''}${part.said.text()}`;
  const text = turn.answer ?? finished?.answer;
  useSpoken(isActive(turn.status), text);
  if (text !== undefined) return { text, isCut: turn.isCut === true || finished?.cut !== undefined, isGrowing: false };
  const steps = trace.lanes[trace.roots[0] ?? -1]?.spans.length ?? 0;
  if (now !== undefined) shown.current = { text: now, steps };
  // Words with calls after them are no answer, and have a line of their own.
  else if (shown.current !== undefined && steps > shown.current.steps) shown.current = undefined;
  if (shown.current !== undefined && status !== 'failed' && status !== 'cancelled') {
    return { text: shown.current.text, isCut: false, isGrowing: true };
  }
  return finished === undefined ? undefined : { text: '', isCut: false, isGrowing: false };
}

/** Reads an answer out when it has come, but none that was there before. */
function useSpoken(wasActive: boolean, text: string | undefined): void {
  const waited = useRef(wasActive);
  useEffect(() => {
    if (text === undefined || !waited.current) return;
    waited.current = false;
    announce(`Answer: ${text.slice(0, spokenUnits)}`);
  }, [text]);
}

/** The length of what is read out. The rest is on the page. */
const spokenUnits = 600;

/** How often it is told that a run has begun or ended, until the list of turns knows it. */
const tellMs = 2_000;

/** Tells when the run has begun, and when it has ended. */
function useChanged(turn: TurnInfo, status: RunState, onChanged: () => void): void {
  const tell = useLatest(onChanged);
  const isNews = turn.status !== status && (turn.isInLine === true || !isActive(status));
  useEffect(() => {
    if (!isNews) return;
    tell();
    const timer = setInterval(tell, tellMs);
    return () => clearInterval(timer);
  }, [isNews, tell]);
}

function Working({ run, status }: { readonly run: LiveTrace; readonly status: RunState }) {
  const words =
    status === 'suspended' || openQuestions(run.trace).length > 0
      ? undefined
      : run.trace.lastSeq === 0
        ? 'Waits for a worker'
        : 'Working';
  return (
    words !== undefined && (
      <p className="flex items-center gap-2 text-muted text-sm">
        <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
        {words}
      </p>
    )
  );
}

/** Microseconds; `undefined` while the turn goes on. */
function timeOf({ createdAt, finishedAt }: TurnInfo): number | undefined {
  return finishedAt === null ? undefined : Math.max(0, finishedAt - createdAt) * 1000;
}
