import fc from 'fast-check';
import type { Clock } from '@/lib/base/clock';
import type { AgentCard } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Settings } from '@/lib/cards/settings';
import type { Message } from '@/lib/runtime/record/messages';
import { type FakeTools, fakeTools } from './fake-tools';
import { graphOf } from './graph-of';
import { type ScriptedModel, scriptedModel, type TestScript, type TestTurn } from './scripted-model';

/** The behaviour of one agent: batches of calls, and then an answer from all its results. */
interface Behaviour {
  readonly batches: readonly (readonly PlannedCall[])[];
  readonly delaysMs: readonly number[];
  readonly fails: boolean;
}

interface PlannedCall {
  /** `child` calls the n-th child (modulo their number), or an MCP tool if there are no children. */
  readonly kind: 'child' | 'tool' | 'write' | 'unknown' | 'nonsense';
  readonly pick: number;
  readonly delayMs: number;
}

export interface RandomGraph {
  readonly parsed: ParsedFolder;
  /** Makes new fakes with the same behaviour, so that another worker can continue a run. */
  fakes(clock: Clock): { readonly model: ScriptedModel; readonly tools: FakeTools };
}

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  kind: fc.constantFrom<PlannedCall['kind']>('child', 'child', 'child', 'tool', 'write', 'unknown', 'nonsense'),
  pick: fc.nat(3),
  delayMs: fc.nat(40),
});

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  batches: fc.array(fc.array(plannedCall, { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
  delaysMs: fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }),
  fails: fc.boolean(),
});

const shapes = ['lead', 'lead > a, b', 'lead > a, b; a > c', 'lead > a; a > b; b > c', 'lead > a, b; a > c; b > c'];

const noOptions: fc.Arbitrary<DelegationOptions> = fc.constant({});

/** Generates any combination of options that change a delegation. */
export const delegationOptions: fc.Arbitrary<DelegationOptions> = fc.record(
  {
    skip_summarization: fc.boolean(),
    failure_mode: fc.constantFrom('result' as const, 'propagate' as const),
    max_attempts: fc.integer({ min: 1, max: 3 }),
    max_depth: fc.integer({ min: 1, max: 3 }),
    cache: fc.boolean(),
    history: fc.oneof(fc.constantFrom('none' as const, 'full' as const), fc.record({ last: fc.nat(3) })),
    state: fc.record(
      {
        down: fc.oneof(
          fc.constantFrom('filtered' as const, 'none' as const),
          fc.record({ keys: fc.subarray(['k1', 'k2']) }),
        ),
        isolate: fc.boolean(),
        write_keys: fc.subarray(['k0', 'k1', 'k2']),
        on_conflict: fc.constantFrom('overwrite' as const, 'reject' as const),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** Generates options with which a child continues an earlier call, or waits for one. */
export const memoryOptions: fc.Arbitrary<DelegationOptions> = fc.record(
  {
    session: fc.constantFrom('none' as const, 'addressed' as const, 'reuse' as const, 'reuse' as const),
    isolation: fc.constantFrom('clone' as const, 'shared' as const, { pool: 1 }, { pool: 2 }),
    max_attempts: fc.integer({ min: 1, max: 2 }),
    history: fc.constantFrom('none' as const, 'full' as const),
  },
  { requiredKeys: [] },
);

/** Generates fields of cards that concern the histories of children. */
export const historyFields: fc.Arbitrary<Partial<AgentCard>> = fc.record(
  {
    historySource: fc.constantFrom<AgentCard['historySource']>('none', 'child', 'orchestrator', 'messages'),
    historyMergeTarget: fc.constantFrom<AgentCard['historyMergeTarget']>('none', 'child', 'orchestrator'),
  },
  { requiredKeys: [] },
);

/** Generates call trees of up to four levels, with batches of children, tools, unknown names and invalid arguments. */
export function randomGraphs(
  limits: Settings['limits'] = {},
  options: fc.Arbitrary<DelegationOptions> = noOptions,
  cards: fc.Arbitrary<Partial<AgentCard>> = fc.constant({}),
): fc.Arbitrary<RandomGraph> {
  return fc
    .record({
      shape: fc.constantFrom(...shapes),
      behaviours: fc.tuple(behaviour, behaviour, behaviour, behaviour),
      maxParallel: fc.constantFrom(1, 2, 128),
      fields: fc.dictionary(fc.constantFrom('lead', 'a', 'b'), cards),
      edges: fc.dictionary(fc.constantFrom('lead', 'a', 'b'), fc.dictionary(fc.constantFrom('a', 'b', 'c'), options)),
    })
    .map(({ shape, behaviours, maxParallel, fields, edges: delegations }) => {
      const settings = { limits: { max_parallel: maxParallel, ...limits }, delegations };
      const parsed = graphOf(shape, { settings, cards: fields });
      return { parsed, fakes: (clock) => fakesFor(parsed, behaviours, clock) };
    });
}

function fakesFor(
  parsed: ParsedFolder,
  behaviours: readonly Behaviour[],
  clock: Clock,
): ReturnType<RandomGraph['fakes']> {
  const scripts: Record<string, TestScript> = {};
  parsed.cards.forEach((card, index) => {
    const own = behaviours[index % behaviours.length];
    const children = card.type === 'agent' ? card.agents : [];
    // The entry agent always answers, so that runs can be compared.
    if (own) scripts[card.name] = (request) => turnOf(own, index > 0, children, request.turn, request.messages);
  });
  const tools = fakeTools({
    async box__write(args, { signal, state }) {
      const before = Object.keys(state.values()).length;
      await clock.sleep(Number(args.delayMs), signal);
      state.write(`k${args.pick}`, `${args.delayMs} after ${before}`);
      return `wrote ${before}`;
    },
    async box__work(args, { signal }) {
      await clock.sleep(Number(args.delayMs), signal);
      return `worked ${args.delayMs}`;
    },
  });
  return { model: scriptedModel(scripts, clock), tools };
}

function turnOf(
  { batches, delaysMs, fails }: Behaviour,
  mayFail: boolean,
  children: readonly string[],
  turn: number,
  messages: readonly Message[],
): TestTurn {
  const delayMs = delaysMs[turn - 1] ?? 0;
  const batch = batches[turn - 1];
  if (batch) return { delayMs, calls: batch.map((call) => callOf(call, children)) };
  if (fails && mayFail) return { delayMs, error: { code: 'model_down', message: 'The model is down.' } };
  return { delayMs, text: `(${messages.flatMap(told).join(' | ')})` };
}

function callOf(
  { kind, pick, delayMs }: PlannedCall,
  children: readonly string[],
): NonNullable<TestTurn['calls']>[number] {
  const child = children[pick % Math.max(1, children.length)];
  if (kind === 'unknown') return { tool: 'nowhere' };
  if (kind === 'nonsense') return { tool: child === undefined ? 'box__work' : `agent__${child}`, arguments: '{"cut' };
  if (kind === 'child' && child !== undefined) return { tool: `agent__${child}`, arguments: { text: `do ${delayMs}` } };
  if (kind === 'write') return { tool: 'box__write', arguments: { delayMs, pick } };
  return { tool: 'box__work', arguments: { delayMs } };
}

function told(message: Message): string[] {
  if (message.role === 'assistant') return [];
  const blocks = message.role === 'user' ? message.content : message.results.flatMap(({ result }) => result.content);
  return blocks.map((block) => (block.type === 'text' ? block.text : block.type));
}
