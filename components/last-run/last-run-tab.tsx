'use client';

import { ArrowLeft, History } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useProject } from '@/components/editor-state/project-context';
import { useRun } from '@/components/editor-state/run-context';
import { SpanDetail } from '@/components/run/lazy-tabs';
import { useShownRun, useShownRunStore } from '@/components/run/shown-run';
import type { LiveTrace } from '@/components/run/use-run';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { VisibleText } from '@/components/ui/visible-text';
import { callsOf } from '@/lib/editor/last-calls';
import { CallList } from './call-list';
import { countWords } from './call-words';
import { RunChoice } from './run-choice';
import { Strangers } from './strangers';
import { type Selected, useSelected } from './use-selected';

/** Shows what the selected thing got and gave in a run: its calls, and one of them in full. */
export function LastRunTab() {
  const runId = useRun((state) => state.runId);
  if (runId === undefined) {
    return (
      <EmptyState icon={<History aria-hidden />} title="No run yet">
        Run the project. What its agents, tools and hooks got and answered is shown here.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col">
      <RunChoice runId={runId} />
      <OfRun key={runId} runId={runId} />
    </div>
  );
}

function OfRun({ runId }: { readonly runId: string }) {
  const run = useShownRun(runId);
  const selected = useSelected();
  if (run === undefined || run.phase === 'loading') {
    return (
      <p role="status" className="p-3 text-muted text-sm">
        Loading the run
      </p>
    );
  }
  if (run.phase === 'failed') return <EmptyState title="The run could not be loaded">{run.error}</EmptyState>;
  if (selected === undefined) return <NothingSelected run={run} />;
  return <Calls key={JSON.stringify(selected.target)} run={run} selected={selected} />;
}

function NothingSelected({ run }: { readonly run: LiveTrace }) {
  return (
    <>
      <p className="p-3 text-muted text-sm">
        Select an agent, a tool or a wire to see what it got and gave in this run.
      </p>
      <Strangers run={run} />
    </>
  );
}

/** This many calls are listed at first, and added by each click. */
const callsAtOnce = 50;

function Calls({ run, selected }: { readonly run: LiveTrace; readonly selected: Selected }) {
  const { trace } = run;
  const [most, setMost] = useState(callsAtOnce);
  const [picked, setPicked] = useState<number>();
  // A run of many steps must not hold up the page while it goes on.
  const version = useDeferredValue(run.version);
  const { target } = selected;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; the component is made anew for another target
  const calls = useMemo(() => callsOf(trace, target, most), [trace, version, most]);
  const newest = calls.newest[0]?.span;
  const span = picked ?? newest;
  const isListed = picked === undefined || calls.newest.some((call) => call.span === picked);
  const projectId = useProject((state) => state.projectId);
  const place = useRef<HTMLDivElement>(null);
  const show = (next: number | undefined) => {
    flushSync(() => setPicked(next));
    // The button that was pressed may be gone: then the way back has the focus, or the call that is shown.
    if (document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>('[data-back], [aria-pressed=true]')?.focus();
  };
  return (
    <>
      <Heading selected={selected} words={countWords(calls)} />
      <div ref={place} className="contents">
        {calls.count > 0 && isListed && (picked !== undefined || calls.count > 1) && (
          <div className="border-b">
            <CallList
              {...{ run, target, calls }}
              chosen={span}
              onChoose={show}
              onMore={() => setMost(most + callsAtOnce)}
            />
          </div>
        )}
        {!isListed && (
          <div className="border-b px-2 py-1">
            <Button
              size="sm"
              variant="ghost"
              data-back
              icon={<ArrowLeft aria-hidden className="size-3.5" />}
              onClick={() => show(calls.count > 1 ? undefined : newest)}
            >
              Back to the calls
            </Button>
          </div>
        )}
      </div>
      {span === undefined ? (
        <>
          <p className="p-3 text-muted text-sm">This run did not call it.</p>
          <Strangers run={run} />
        </>
      ) : (
        <SpanDetail
          key={span}
          {...{ trace, span, projectId }}
          textsFirst
          now={run.now()}
          cache={run.cache}
          said={run.said}
          onSelect={show}
        />
      )}
    </>
  );
}

/** Names what is shown. For an agent with hooks, each hook can be chosen in its place. */
function Heading({ selected, words }: { readonly selected: Selected; readonly words: string }) {
  const { name, agent, hooks, hook } = selected;
  const store = useShownRunStore();
  const choose = (id: string | undefined) =>
    store.setState({ hook: agent === undefined || id === undefined ? undefined : { agent, id } });
  return (
    <div className="flex flex-col gap-1.5 border-b px-3 py-2">
      <h2 className="flex min-w-0 items-baseline gap-2">
        <span className="min-w-0 truncate font-medium text-ink text-sm">
          <VisibleText text={name} />
        </span>
        <span className="shrink-0 text-muted text-xs tabular-nums">{words}</span>
      </h2>
      {hooks.length > 0 && (
        <fieldset aria-label="Calls of" className="flex flex-wrap gap-1">
          <Choice label="the agent" pressed={hook === undefined} onPress={() => choose(undefined)} />
          {hooks.map((entry) => (
            <Choice
              key={entry.id}
              label={`hook ${entry.name}`}
              pressed={hook === entry.id}
              onPress={() => choose(entry.id)}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Choice(props: { readonly label: string; readonly pressed: boolean; readonly onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={props.pressed}
      onClick={props.onPress}
      className={classNames(
        'max-w-full cursor-pointer truncate rounded border px-1.5 py-0.5 text-xs',
        props.pressed ? 'border-accent bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      <VisibleText text={props.label} />
    </button>
  );
}
