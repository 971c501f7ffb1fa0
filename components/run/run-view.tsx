'use client';

import { ListTree } from 'lucide-react';
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useTitleCount } from '@/components/people/use-title-count';
import { useReplay } from '@/components/replay/use-replay';
import { useHeld } from '@/components/timeline/held';
import type { ShortTime, Switch, TimelineKeys, TimelinePicture } from '@/components/timeline/timeline-props';
import { useShortTime } from '@/components/timeline/use-short-time';
import { Announcer } from '@/components/ui/announcer';
import { EmptyState } from '@/components/ui/empty-state';
import { ResizablePanel } from '@/components/ui/splitter';
import type { RunInfo } from '@/lib/client/run-info';
import { hasFoldedSpans } from '@/lib/trace/folded-spans';
import { openQuestions } from '@/lib/trace/questions';
import { ownSource } from '@/lib/trace/run-source';
import { isActive } from '@/lib/trace/run-state';
import type { Trace } from '@/lib/trace/trace';
import type { AgainServices } from './again-services';
import { eventOf } from './event-of';
import { BarMenu, HistoryList, LaneTexts, RunQuestions, RunTransport } from './lazy-tabs';
import { NoBarsYet, RunBars } from './run-bars';
import { RunDetails } from './run-details';
import { stateOf } from './run-facts';
import { RunHeader } from './run-header';
import type { RunLink } from './run-link';
import { type RunSight, RunSightContext, useRunSight } from './run-sight';
import { loadSecondParts } from './second-parts';
import type { ShareServices } from './share-services';
import { RunNotLoaded } from './try-again';
import { useFollow } from './use-follow';
import { type LaneIcons, useLaneIcons } from './use-lane-icons';
import { type LiveTrace, useFetched, useRun } from './use-run';
import { replayActions, useReplayKeys, useRunAtPlayHead, useSpokenPlace } from './use-run-replay';
import { type RunPlace, usePlaceInUrl } from './use-selection';
import { useTimelineHeight } from './use-timeline-height';
import { useWide } from './use-wide';

export interface RunViewProps {
  readonly run: RunInfo;
  readonly link: RunLink;
  /** Asks for a stop. Resolves to `undefined`, or to a sentence that says why the request failed. */
  readonly onStop?: () => Promise<string | undefined>;
  /** Without it, the run cannot be shared. */
  readonly share?: ShareServices;
  readonly sight?: RunSight;
  /** Without it, steps of the run cannot be run again. */
  readonly again?: AgainServices;
  /** Called when the events of an imported run were replaced, so that `run` is out of date. */
  readonly onReplaced: () => void;
}

/**
 * The whole page of a run: header, timeline, history on the left and the selection on the right. On a phone they are
 * stacked.
 */
export function RunView({ sight = 'whole', ...props }: RunViewProps) {
  return (
    <RunSightContext value={sight}>
      <RunPage {...props} sight={sight} />
    </RunSightContext>
  );
}

function RunPage({ run: info, link, onReplaced, sight, ...rest }: RunViewProps & { readonly sight: RunSight }) {
  const isImported = info.source !== ownSource;
  useEffect(loadSecondParts, []);
  const [allSpans, setAllSpans] = useState(isImported && link.all === '1');
  const run = useRun(info.id, { isImported, hasTexts: sight !== 'bare', allSpans });
  const { phase } = run;
  useReplaced(run.replaced, onReplaced);
  const again = useAgain(rest.again, run.trace, isImported);
  const { replay, state } = useReplay(run.trace, run.now);
  const place = usePlaceInUrl(run, link, { moment: state.moment, setMoment: replay.seek, allSpans });
  const short = useShortTime({ ...run, live: run.phase !== 'ended' });
  const { followed, ...follow } = useFollow({ replay, state }, place, run, short);
  const shown = useRunAtPlayHead(run, replay, state);
  const { trace, version } = shown;
  const keys = useRef<TimelineKeys | undefined>(undefined);
  const shownPicture = useRef<(() => TimelinePicture) | undefined>(undefined);
  const actions = replayActions(run.trace, run.now, replay, place);
  useReplayKeys(replay, actions, keys);
  useSpokenPlace(shown, place.span, state);
  const status = stateOf(shown, info.status);
  const isGraph = place.tab === 'graph';
  const { picture, laneIcon } = useLaneIcons(sight === 'bare' ? undefined : info.id, trace, version, isGraph);

  const busy = state.moving || phase !== 'ended';
  const timeline = (
    <RunTimeline
      {...{ run, shown, place, laneIcon, info, again, followed, short, keys, shownPicture }}
      moving={state.moving}
      allSpans={sight === 'bare' ? undefined : { isOn: allSpans, setOn: setAllSpans }}
    />
  );
  const history = useCalm(
    busy,
    <HistoryList
      {...{ trace, version, followed }}
      selected={place.span}
      atEnd={place.atEnd}
      onSelect={place.select}
      previews={run.previews}
      said={shown.said}
    />,
  );
  const details = {
    info,
    place,
    status,
    picture,
    ...useEnds(run, trace, info),
    run: shown,
    whole: run,
    again,
    followed,
  };
  const detail = useCalm(busy, <RunDetails {...details} onGoToSelected={actions.toSelected} />);

  return (
    <div className="flex h-full min-h-0 flex-col max-md:h-auto">
      <RunHeader
        {...{ info, status, allSpans }}
        run={shown}
        live={isActive(stateOf(run, info.status))}
        address={place.address}
        picture={shownPicture}
        onStop={rest.onStop}
        share={rest.share}
      />
      <Announcer />
      <WaitingQuestions runId={info.id} trace={run.trace} version={run.version} />
      {phase === 'failed' ? (
        <RunNotLoaded run={run} />
      ) : (
        <>
          {run.trace.lastSeq > 0 && <RunTransport {...{ run, replay, state, actions, follow, short }} />}
          <Panes trace={run.trace} timeline={timeline} history={history} detail={detail} />
        </>
      )}
    </div>
  );
}

/** Returns the services for those who may run what has ended here again. */
function useAgain(services: AgainServices | undefined, { run }: Trace, isImported: boolean): AgainServices | undefined {
  const mayRun = useAccess().rights.includes('run');
  return mayRun && !isImported && run.status !== undefined ? services : undefined;
}

/** Fetches the first and the last event of a run, if the page needs what they say. */
function useEnds({ cache }: LiveTrace, trace: Trace, info: RunInfo) {
  const ended = trace.run.status !== undefined;
  const [last, first] = useFetched(cache, [
    ended && (info.answer === undefined || info.isCut || info.failedServers !== undefined) ? trace.lastSeq : 0,
    info.isCut ? 1 : 0,
  ]);
  return { finished: eventOf(last, 'run.finished'), began: eventOf(first, 'run.started') };
}

function useReplaced(times: number, onReplaced: () => void) {
  const tell = useRef(onReplaced);
  tell.current = onReplaced;
  useEffect(() => {
    if (times > 0) tell.current();
  }, [times]);
}

/**
 * Returns what to show, which while much happens may be what was shown before: React then renders the new one between frames, and
 * lets them go first.
 */
function useCalm(busy: boolean, shown: ReactNode): ReactNode {
  const calm = useDeferredValue(shown);
  return busy ? calm : shown;
}

/** Puts the parts side by side, or on a phone below each other. `trace` decides how high the timeline is at first. */
function Panes(props: {
  readonly trace: Trace;
  readonly timeline: ReactNode;
  readonly history: ReactNode;
  readonly detail: ReactNode;
}) {
  const { trace, timeline, detail } = props;
  // The server draws no history, because its code comes beside the events.
  const history = trace.lastSeq > 0 && props.history;
  const wide = useWide();
  const height = useTimelineHeight(trace);
  return wide ? (
    <>
      <ResizablePanel side="top" label="Timeline" storageKey="run-timeline" defaultSize={height} min={120} max={900}>
        {timeline}
      </ResizablePanel>
      <div className="flex min-h-0 flex-1">
        <ResizablePanel
          side="left"
          label="History"
          storageKey="run-history"
          defaultSize={640}
          min={260}
          max={1400}
          className="max-w-[calc(100%-20rem)]!"
        >
          <PaneTitle>History</PaneTitle>
          {history}
        </ResizablePanel>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">{detail}</div>
      </div>
    </>
  ) : (
    <>
      <div className="shrink-0 border-b" style={{ height }}>
        {timeline}
      </div>
      <div className="flex min-h-48 flex-col border-b bg-surface">{detail}</div>
      <div className="flex h-96 shrink-0 flex-col bg-surface">
        <PaneTitle>History</PaneTitle>
        {history}
      </div>
    </>
  );
}

/** Shows the open questions to people, but not to whoever only has a link. */
function WaitingQuestions(props: { readonly runId: string; readonly trace: Trace; readonly version: number }) {
  const waiting = useWaiting(props.trace);
  const sight = useRunSight();
  return waiting > 0 && sight === 'whole' ? <RunQuestions {...props} /> : null;
}

/** Returns how many questions to people are open. The title of the window has the number, too. */
function useWaiting(trace: Trace): number {
  const count = openQuestions(trace).length;
  useTitleCount(count);
  return count;
}

/** Shows the bars, or the reason why there are none. */
function RunTimeline(props: {
  readonly info: RunInfo;
  readonly run: LiveTrace;
  readonly again: AgainServices | undefined;
  /** The run at the play-head. */
  readonly shown: LiveTrace;
  readonly place: RunPlace;
  /** True while the play-head moves. */
  readonly moving: boolean;
  /** The span that the rows follow. */
  readonly followed: number | undefined;
  readonly short: ShortTime | undefined;
  readonly keys: RefObject<TimelineKeys | undefined>;
  readonly shownPicture: RefObject<(() => TimelinePicture) | undefined>;
  readonly laneIcon: LaneIcons['laneIcon'];
  readonly allSpans: Switch | undefined;
}) {
  const { info, run, again, shown, place, moving, keys, shownPicture, laneIcon, followed, short, allSpans } = props;
  const { trace, phase } = run;
  const window = useHeld(place.window);
  const ended = trace.run.status !== undefined;
  if (phase === 'loading' || (trace.lastSeq === 0 && !ended))
    return <NoBarsYet what={phase === 'loading' ? 'Loading the timeline' : waitingWords(info.isInLine === true)} />;
  if (ended && trace.lanes.length === 0) {
    return (
      <EmptyState title="Nothing was started">The run ended before its first instance. The result says why.</EmptyState>
    );
  }
  return (
    <RunBars
      trace={shown.trace}
      version={shown.version}
      now={shown.now}
      extent={run.now}
      live={moving || phase !== 'ended'}
      selected={place.span !== undefined && place.span < shown.trace.spans.length ? place.span : undefined}
      onSelect={place.select}
      linked={place.linked}
      followed={followed}
      window={window}
      onWindow={place.window.set}
      short={short}
      allSpans={hasFoldedSpans(trace) ? allSpans : undefined}
      view={place.view}
      onView={place.setView}
      moment={place.moment}
      onMoment={place.setMoment}
      highlight={place.highlight}
      keys={keys}
      picture={shownPicture}
      laneIcon={laneIcon}
      barMenu={(at) => (
        <BarMenu
          key={`${at.span} ${at.x} ${at.y}`}
          {...{ at, again, info }}
          trace={shown.trace}
          address={place.address}
        />
      )}
      overBars={(bars) => <LaneTexts said={shown.said} trace={shown.trace} place={bars} />}
    />
  );
}

function waitingWords(isInLine: boolean): string {
  const what = isInLine ? 'the message before this one' : 'a worker';
  return `Waiting for ${what}. Bars appear here when the run starts.`;
}

function PaneTitle({ children }: { readonly children: string }) {
  return (
    <h2 className="flex h-9 shrink-0 items-center gap-1.5 border-b px-3 font-medium text-ink text-sm">
      <ListTree aria-hidden className="size-3.5 text-faint" />
      {children}
    </h2>
  );
}
