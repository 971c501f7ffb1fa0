import { isRecord, type Json } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Ports } from '@/lib/runtime/ports';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { type FakeClock, fakeClock } from './fake-clock';
import { type FakeHook, fakeHooks } from './fake-hooks';
import { fakeTools } from './fake-tools';
import { memorySessions } from './memory-sessions';
import { ended, type PeopleDesk, peopleDesk } from './people-desk';
import { runGraph, type TestRun } from './run-graph';
import { type ScriptedModel, scriptedModel, type TestCall, type TestScript } from './scripted-model';

/** A call of a tool that asks where `toolsAsk` is set. */
export const send = (to: string): TestCall => ({ tool: 'box__send', arguments: { to } });
/** A call of a tool that works for a time and asks nobody. */
export const work = (ms: number): TestCall => ({ tool: 'work', arguments: { ms } });
export const agent = (name: string): TestCall => ({ tool: `agent__${name}`, arguments: { text: 'go' } });

/** Calls of `box` ask. Calls of agents and other tools run. */
export const toolsAsk = { approvals: { rules: [{ tools: ['box__*'], effect: 'ask' as const }] } };

export interface StintOptions {
  readonly signal?: AbortSignal;
  /** Called before the execution begins. */
  during?(clock: FakeClock, desk: PeopleDesk): void;
  /** The port `pause`, which is asked before each call of a batch. */
  pause?(clock: FakeClock): Promise<void> | undefined;
}

/**
 * Several executions of one run, as workers make them one after the other. Tools: `box__send` notes in `sent` to whom,
 * `write` writes `value` to the state, `work` works for `ms`. `more` are hooks by name.
 */
export function stintsOf(
  parsed: ParsedFolder,
  scripts: Readonly<Record<string, TestScript>>,
  holdMs = 0,
  more: Readonly<Record<string, FakeHook>> = {},
) {
  const desk = peopleDesk(holdMs);
  const notes: Notes = { sent: [], written: [], hooked: [] };
  const asked: ScriptedModel['requests'][number][] = [];
  const sessions = memorySessions();
  let log: readonly RunEvent[] = [];
  let now = 0;
  return {
    desk,
    ...notes,
    /** The requests that models got, in all executions. */
    asked,
    log: () => log,
    /** Lets time pass between two executions. */
    pass(ms: number) {
      now += ms;
    },
    /** Runs until the run ends or is suspended. */
    async stint({ signal, during, pause }: StintOptions = {}): Promise<TestRun> {
      const clock = fakeClock(now);
      during?.(clock, desk);
      const model = scriptedModel(scripts, clock);
      const tools = { mcp: toolsThatNote(notes, clock) };
      const hooks = fakeHooks({ ...more, watch: watching(notes) });
      const replace = (ports: Ports): Ports => (pause ? { ...ports, pause: () => pause(clock) } : ports);
      const done = await runGraph({ parsed, model, tools, hooks, people: desk, sessions, clock, log, signal, replace });
      asked.push(...model.requests);
      now = clock.now();
      log = done.log;
      return done;
    },
    /** Answers whatever is asked until the run has ended. */
    async finish(): Promise<TestRun> {
      for (;;) {
        const done = await this.stint();
        if (done.outcome.status !== 'suspended') return done;
        for (const { item } of openIn(log)) if (!desk.has(item)) desk.end(item, ended());
      }
    },
    /** The worker dies: of the log only the first events are durable. */
    cut(length: number) {
      log = log.slice(0, length);
    },
    /** Stores the log as text and reads it again. */
    reload() {
      log = log.map((event): RunEvent => JSON.parse(JSON.stringify(event)));
    },
    open: () => openIn(log),
    /** Ends the open question about a call with this `to`. */
    answer(to: string, end: ItemEnd = ended()) {
      const question = openIn(log).find(({ arguments: args }) => isRecord(args) && args.to === to);
      if (!question) throw new Error(`Nothing is asked about ${to}.`);
      desk.end(question.item, end);
    },
    answerAll() {
      for (const { item } of openIn(log)) desk.end(item, ended());
    },
  };
}

/** What the tools and the hook `watch` did, in all executions. */
interface Notes {
  readonly sent: string[];
  readonly written: Json[];
  /** The names of the tools that `watch` was called for. */
  readonly hooked: string[];
}

function toolsThatNote({ sent, written }: Notes, clock: FakeClock) {
  return fakeTools({
    box__send: (args) => {
      sent.push(String(args.to));
      return `sent to ${args.to}`;
    },
    write({ value = 1 }, { state }) {
      written.push(value);
      state.write('k', value);
      return 'written';
    },
    async work({ ms }, { signal }) {
      await clock.sleep(Number(ms), signal);
      return 'worked';
    },
  });
}

function watching({ hooked }: Notes): FakeHook {
  return {
    around: async (context, args, next) => {
      hooked.push(context.toolName);
      return await next(args);
    },
  };
}

function openIn(log: readonly RunEvent[]): EventOf<'person.asked'>[] {
  const answered = new Set(log.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : [])));
  return log.flatMap((event) => (event.kind === 'person.asked' && !answered.has(event.item) ? [event] : []));
}
