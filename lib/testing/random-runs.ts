import fc from 'fast-check';
import { brandAs, type EpochMs, type PendingId } from '@/lib/base/ids';
import type { AgentCard } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { ModelPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { costOf } from '@/lib/trace/cost';
import { fakeClock } from './fake-clock';
import { chainOf, fakeHooks } from './fake-hooks';
import { ended, peopleDesk } from './people-desk';
import { delegationOptions, type RandomGraph, randomGraphs } from './random-graphs';
import { runGraph } from './run-graph';

/** A run of the real runtime: what runs, what asks a person, and where workers die. */
export interface RandomRun {
  readonly graph: RandomGraph;
  /** The tools whose calls ask a person first. Every third question is denied. */
  readonly asking: readonly string[];
  /** Where the log of each execution is cut, in thousandths of what it added; `undefined` for one that is not cut. */
  readonly cuts: readonly (number | undefined)[];
}

/** Agents with different models, one of which has no known price, and with hooks that pass, answer or fail. */
const cards: fc.Arbitrary<Partial<AgentCard>> = fc
  .tuple(
    fc.constantFrom('openai.gpt-4o-mini', 'anthropic.claude-haiku-4-5', 'nobody.knows'),
    fc.constantFrom({}, {}, chainOf('pass'), chainOf('pass', 'answer'), chainOf('fail')),
  )
  .map(([model, hooks]) => ({ model, ...hooks }));

/** Generates runs with failures, retries, refusals, time limits, caches, hooks, questions to people and crashes. */
export const randomRuns: fc.Arbitrary<RandomRun> = fc.record({
  graph: fc.oneof(
    randomGraphs({}, delegationOptions, cards),
    randomGraphs({ child_timeout_ms: 45 }, delegationOptions, cards),
  ),
  asking: fc.oneof(fc.constant([]), fc.subarray(['box__work', 'agent__a', 'agent__c'])),
  cuts: fc.array(fc.option(fc.nat(1_000), { freq: 1, nil: undefined }), { minLength: 1, maxLength: 4 }),
});

const mostExecutions = 100;

/** Executes a run to its end, in as many executions as it takes. Events are fractions of a millisecond apart. */
export async function logOfRun({ graph, asking, cuts }: RandomRun): Promise<readonly RunEvent[]> {
  const parsed = asking.length === 0 ? graph.parsed : withApprovals(graph.parsed, asking);
  const desk = peopleDesk();
  const known = new Set<PendingId>();
  let log: readonly RunEvent[] = [];
  let now = 0;
  for (let n = 0; n < mostExecutions && log.at(-1)?.kind !== 'run.finished'; n++) {
    const clock = fakeClock(now);
    const { model, tools } = graph.fakes(clock);
    const done = await runGraph({
      ...{ parsed, model, clock, log, people: desk, hooks: hooks(), costOf },
      tools: { mcp: tools },
      replace: (ports) => ({ ...ports, model: withUsage(ports.model) }),
    });
    now = clock.now() + 1_000;
    const cut = cuts[n];
    log = cut === undefined ? done.log : cutLog(done.log, log.length, cut, known);
    for (const event of log) {
      if (event.kind !== 'person.asked' || known.has(event.item)) continue;
      known.add(event.item);
      desk.end(event.item, ended(known.size % 3 === 0 ? { decision: 'deny', note: 'Not now.' } : {}));
    }
  }
  return log.map((event, place) => ({ ...event, at: brandAs<EpochMs>(1e12 + event.at * 1.37 + place * 0.0137) }));
}

/** Cuts what an execution added, but for questions whose answers are stored already. */
function cutLog(log: readonly RunEvent[], from: number, share: number, known: ReadonlySet<PendingId>) {
  const least = log.reduce(
    (length, event, place) => (event.kind === 'person.asked' && known.has(event.item) ? place + 1 : length),
    from,
  );
  return log.slice(0, least + Math.round((share / 1_000) * (log.length - least)));
}

function withApprovals(parsed: ParsedFolder, tools: readonly string[]): ParsedFolder {
  const rules = [{ tools: [...tools], effect: 'ask' as const }];
  return { ...parsed, settings: { ...parsed.settings, approvals: { rules } } };
}

function hooks() {
  const number = (args: { readonly delayMs?: unknown }) => Number(args.delayMs ?? 0);
  return fakeHooks({
    pass: { around: async (_context, args, next) => await next({ ...args, passed: true }) },
    answer: { around: async (_context, args, next) => (number(args) % 3 === 0 ? 'instead' : await next(args)) },
    fail: {
      around: async (_context, args, next) => {
        if (number(args) % 5 === 0) throw new Error('no');
        return await next(args);
      },
    },
  });
}

/** Every call reports other tokens, which depend on its step alone. */
function withUsage(model: ModelPort): ModelPort {
  return {
    ...model,
    async complete(request, control) {
      const response = await model.complete(request, control);
      if (!response.ok) return response;
      const size = [...request.step].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
      return { ...response, usage: { ...response.usage, inputTokens: size, outputTokens: (size % 97) + 1 } };
    },
  };
}
