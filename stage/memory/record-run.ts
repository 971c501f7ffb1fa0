import { brandAs, type CorrelationId, type EpochMs, type RunId } from '@/lib/base/ids';
import type { AgentCard } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { scriptedModel } from '@/lib/models/script';
import type { ToolPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { execute } from '@/lib/runtime/run/execute';
import { type CollectedEvents, collectEvents } from '@/lib/testing/collect-events';
import { type FakeClock, fakeClock } from '@/lib/testing/fake-clock';
import { type FakeHook, fakeHooks } from '@/lib/testing/fake-hooks';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { LiveTexts } from '@/lib/trace/live-texts';

/** What a run of the stage runs. */
export interface RunInput {
  /** A folder whose scripts answer in place of models. */
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
  /** The function tools of the files, by name: nothing on the stage loads code. */
  readonly functions?: Readonly<Record<string, FakeTool>>;
  /** The hooks of the files, by name. */
  readonly hooks?: Readonly<Record<string, FakeHook>>;
  /** Stops the clock after so many milliseconds, in the middle of the run. Without it the run has ended. */
  readonly passed?: number;
}

/** A run that the real runtime executes in the page, with a clock that only a test moves. */
export interface RecordedRun {
  readonly id: string;
  readonly input: RunInput;
  readonly events: readonly RunEvent[];
  /** What models say in calls that go on. */
  readonly texts: LiveTexts;
  readonly clock: FakeClock;
  /** Calls back from now on after each event, and when a model says something. */
  readonly listen: (onChange: () => void) => void;
  /** Stops the run, as a person does. */
  readonly stop: () => void;
}

/** Executes a run to its end, or for as long as its input says. */
export async function recordRun(id: string, input: RunInput): Promise<RecordedRun> {
  const { files, message, functions = {}, hooks = {}, passed } = input;
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const clock = fakeClock(Date.now());
  // Nothing happens at the very moment of something else: each event comes a millisecond after the one before.
  const sink: CollectedEvents = collectEvents({
    ...clock,
    now: () => brandAs<EpochMs>(clock.now() + sink.events.length),
  });
  const texts = new LiveTexts();
  const stop = new AbortController();
  let onChange = () => {};
  let ids = 0;
  const work = execute({
    folder,
    parsed,
    request: {
      ...{ runId: brandAs<RunId>(id), correlationId: brandAs<CorrelationId>(`${id}-c0`), message },
      ...{ agent: undefined, model: undefined },
    },
    ports: {
      model: scriptedModel(parsed.settings, clock),
      tools: { function: ofItsCard(fakeTools(functions, { source: 'function' })) },
      hooks: fakeHooks(hooks),
      clock,
      newCorrelationId: () => brandAs<CorrelationId>(`${id}-c${++ids}`),
      events: {
        append(body) {
          sink.append(body);
          if (body.kind === 'model.ended') texts.end(body.step);
          onChange();
        },
        delta(delta) {
          texts.add(delta);
          onChange();
        },
        flush: sink.flush,
      },
    },
    log: [],
    signal: stop.signal,
    worker: 'stage',
  });
  if (passed === undefined) await clock.runUntil(work);
  else await clock.advance(passed);
  return {
    ...{ id, input, events: sink.events, texts, clock },
    listen(listener) {
      onChange = listener;
    },
    stop: () => stop.abort(),
  };
}

/** Offers an agent the tools that its card names. */
function ofItsCard(tools: ToolPort): ToolPort {
  const isNamed = ({ functionTools }: AgentCard, name: string) =>
    functionTools.some(({ functionName }) => functionName === name);
  return {
    ...tools,
    async list(card, signal) {
      const listed = await tools.list(card, signal);
      return { ...listed, tools: listed.tools.filter(({ name }) => isNamed(card, name)) };
    },
  };
}
