import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PendingId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { ended, type PeopleDesk, peopleDesk } from '@/lib/testing/people-desk';
import { delegationOptions, memoryOptions, type RandomGraph, randomGraphs } from '@/lib/testing/random-graphs';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { tries } from '@/lib/testing/tries';

/** A graph, what asks in it, and how people and workers behave. */
interface Case {
  readonly graph: RandomGraph;
  /** The tools whose calls ask. */
  readonly asking: readonly string[];
  /** Of each execution: how many answers come before it, in which order, how long it is held, and where a worker dies. */
  readonly stints: readonly { answers: number; pick: number; holdMs: number; cut: number | undefined }[];
  /** A question is denied if its place in the run, as a number, is a multiple of this. */
  readonly denied: number;
}

/** Graphs whose agents have a phase hook that stops before some calls, or after them. */
const stoppingGraphs = fc
  .tuple(randomGraphs(), fc.constantFrom('after_llm_call', 'after_tool_call'))
  .map(([graph, phase]): RandomGraph => {
    const toolHooks: AgentCard['toolHooks'] = { form: 'phases', phases: { [phase]: hookRef('stop') } };
    const cards = graph.parsed.cards.map((card) => (card.type === 'agent' ? { ...card, toolHooks } : card));
    return { ...graph, parsed: { ...graph.parsed, cards } };
  });

const graphs = fc.oneof(
  randomGraphs({}, fc.constant({}), fc.constantFrom({}, chainOf('pass'))),
  stoppingGraphs,
  randomGraphs(
    {},
    delegationOptions.map((options) => ({ ...options, cache: false })),
  ),
);

const casesOf = (graph: fc.Arbitrary<RandomGraph>): fc.Arbitrary<Case> =>
  fc.record({
    graph,
    asking: fc.subarray(['box__work', 'box__write', 'agent__a', 'agent__b', 'agent__c'], { minLength: 1 }),
    stints: fc.array(
      fc.record({
        answers: fc.integer({ min: 1, max: 4 }),
        pick: fc.nat(20),
        holdMs: fc.constantFrom(0, 0, 15),
        cut: fc.option(fc.nat(1_000), { freq: 2, nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    denied: fc.constantFrom(3, 5, 1_000_003),
  });

/** A case that never ends is reported with its seed, before the time of the test is up. */
const hang = { timeout: 15_000, endOnFailure: true };

/** The events of a run whose answers are all there at once. A larger case suspends so often that it takes many seconds. */
const mostEvents = 1_500;

it('a run gives the same log, whoever answers when, in which order, and wherever its workers die', async () => {
  await fc.assert(
    fc.asyncProperty(casesOf(graphs), async (one) => {
      const parsed = withApprovals(one.graph.parsed, one.asking);
      const straight = await answeredAtOnce(one, parsed);
      fc.pre(straight.log.length <= mostEvents);
      const { log, isCut } = await inStints(one, parsed);
      checkLog(log);
      expect(whatCameOf(log)).toEqual(whatCameOf(straight.log));
      const answers = log.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : []));
      expect(new Set(answers).size).toBe(answers.length);
      if (isCut) return;
      // Suspensions are no attempts.
      const starts = log.flatMap((event) => (event.kind === 'tool.started' ? [event.step] : []));
      expect(new Set(starts).size).toBe(starts.length);
    }),
    { numRuns: tries(40), ...hang },
  );
});

it('a run whose children share sessions and pools comes to its end too', async () => {
  await fc.assert(
    fc.asyncProperty(casesOf(randomGraphs({}, memoryOptions)), async (one) => {
      const parsed = withApprovals(one.graph.parsed, one.asking);
      fc.pre((await answeredAtOnce(one, parsed)).log.length <= mostEvents);
      const { log } = await inStints(one, parsed);
      checkLog(log);
    }),
    { numRuns: tries(20), ...hang },
  );
});

function withApprovals(parsed: ParsedFolder, asking: readonly string[]): ParsedFolder {
  const rules = [{ tools: [...asking], effect: 'ask' as const }];
  return { ...parsed, settings: { ...parsed.settings, approvals: { rules } } };
}

/** The run as it is when every answer is there before it is waited for. */
async function answeredAtOnce({ graph, denied }: Case, parsed: ParsedFolder): Promise<TestRun> {
  const clock = fakeClock();
  const { model, tools } = graph.fakes(clock);
  let answerOf: PeopleDesk['answerOf'] = () => Promise.reject(new Error('no sink'));
  return runGraph({
    parsed,
    model,
    tools: { mcp: tools },
    hooks: passing(),
    people: { answerOf: (item, signal) => answerOf(item, signal), holdMs: () => 0 },
    clock,
    onSink(sink) {
      answerOf = async (item) => {
        const question = sink.of('person.asked').find((asked) => asked.item === item);
        return question ? decisionOn(question, denied) : { outcome: 'withdrawn' };
      };
    },
  });
}

/** The run in as many executions as it takes. No tool runs again that a log had as finished, and none runs twice in one. */
async function inStints({ graph, stints, denied }: Case, parsed: ParsedFolder) {
  const desk = peopleDesk();
  const known = new Set<PendingId>();
  const ran: string[] = [];
  let log: readonly RunEvent[] = [];
  let now = 0;
  let isCut = false;
  for (let n = 0; n < 200; n += 1) {
    const plan = n < 40 ? stints[n % stints.length] : undefined;
    answerSome(log, { answers: plan?.answers ?? 100, pick: plan?.pick ?? 0 }, desk, known, denied);
    const clock = fakeClock(now);
    const { model, tools } = graph.fakes(clock);
    desk.holdMs = () => plan?.holdMs ?? 0;
    const done = await runGraph({
      parsed,
      model,
      tools: { mcp: tools },
      hooks: passing(),
      people: desk,
      clock,
      log,
      onSink(sink) {
        // Somebody answers while the run is held.
        if (plan?.holdMs) {
          void clock.sleep(10).then(() => answerSome([...log, ...sink.events], plan, desk, known, denied));
        }
      },
    });
    const finished = new Set(
      log.flatMap((event) => {
        const isEnd = event.kind === 'model.ended' || event.kind === 'tool.ended' || event.kind === 'tool.returned';
        return isEnd ? [String(event.step)] : [];
      }),
    );
    const steps = [...model.requests.map(({ step }) => String(step)), ...tools.calls.map(({ step }) => step)];
    expect(steps.filter((step) => finished.has(step))).toEqual([]);
    ran.push(...steps);
    now = clock.now() + 1_000;
    const { cut } = plan ?? {};
    if (cut === undefined) log = done.log;
    else {
      // What somebody answered is durable, and so is what was there before.
      const least = done.log.reduce(
        (length, event, index) => (event.kind === 'person.asked' && known.has(event.item) ? index + 1 : length),
        log.length,
      );
      log = done.log.slice(0, least + Math.round((cut / 1_000) * (done.log.length - least)));
      isCut ||= log.length < done.log.length;
    }
    if (log.at(-1)?.kind === 'run.finished') break;
  }
  if (!isCut) expect(new Set(ran).size).toBe(ran.length);
  return { log, isCut };
}

function answerSome(
  log: readonly RunEvent[],
  { answers, pick }: { readonly answers: number; readonly pick: number },
  desk: PeopleDesk,
  known: Set<PendingId>,
  denied: number,
): void {
  const asked = log.filter((event) => event.kind === 'person.asked');
  for (let left = answers; left > 0; left -= 1) {
    const open = asked.filter(({ item }) => !known.has(item));
    const question = open[pick % Math.max(1, open.length)];
    if (!question) return;
    known.add(question.item);
    desk.end(question.item, decisionOn(question, denied));
  }
}

function decisionOn({ step }: EventOf<'person.asked'>, denied: number) {
  const place = [...step].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return place % denied === 0 ? ended({ decision: 'deny', note: 'Not now.' }) : ended();
}

function passing() {
  return fakeHooks({
    pass: { around: async (_context, args, next) => await next(args) },
    // The batch decides, so that every execution stops at the same places.
    stop: { phase: ({ iteration }): JsonObject => (Number(iteration) % 2 === 0 ? { stop: 'Go on?' } : {}) },
  });
}

/** What a log says came of every step and instance, whatever the order and the number of attempts. */
function whatCameOf(log: readonly RunEvent[]): unknown {
  const found: Record<string, unknown> = {};
  for (const event of log) {
    switch (event.kind) {
      case 'model.ended':
        found[event.step] = [event.message, event.error];
        break;
      case 'tool.started':
        found[`${event.step} asked`] = [event.toolName, event.arguments];
        break;
      case 'tool.ended':
        found[event.step] = event.result;
        break;
      case 'state.changed':
        found[`${event.step} state`] = [event.outcome, event.delta];
        break;
      case 'instance.ended':
        found[event.path] = [event.status, event.answer, event.error, event.usage];
        break;
      case 'run.finished':
        found[''] = [event.status, event.answer, event.error, event.usage];
        break;
    }
  }
  return found;
}
