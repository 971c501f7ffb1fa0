import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakePeople } from '@/lib/testing/fake-people';
import { fakeTools } from '@/lib/testing/fake-tools';
import { hookEntries } from '@/lib/testing/hook-entries';
import { projectOf } from '@/lib/testing/project-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';
import { tries } from '@/lib/testing/tries';

/**
 * Compares runs with a small model of what docs/hooks.md, docs/approvals.md, docs/delegation.md and docs/workflows.md promise.
 * `lead` makes one call after the other; each goes this way, and every part may be there or not:
 *
 *   call ─▶ hooks of lead ─▶ approval ─▶ cache of the delegation ─▶ attempts ─▶ kid, with its session
 *                                                                            └▶ flow: step a, then step b
 *                                                                            └▶ the tool box
 */

const targets = ['kid', 'flow', 'box'] as const;
type Target = (typeof targets)[number];
type Effect = 'allow' | 'ask' | 'deny';

/** The names under which a model may mean each target. */
const names: Readonly<Record<Target, readonly string[]>> = {
  kid: ['agent__kid', 'Agent__Kid', 'kid', 'worker_call'],
  flow: ['agent__flow', 'AGENT__FLOW', 'flow'],
  box: ['box__work', 'Box__Work'],
};
const toolOf: Readonly<Record<Target, string>> = { kid: 'agent__kid', flow: 'agent__flow', box: 'box__work' };

interface Call {
  readonly target: Target;
  readonly name: string;
  readonly text: string;
}

interface Graph {
  readonly calls: readonly Call[];
  /** From the outermost to the innermost. `on` is the target that a hook is for. */
  readonly hooks: readonly { readonly kind: 'block' | 'cache' | 'retry' | 'log'; readonly on: Target }[];
  readonly effects: Readonly<Record<Target | 'a', Effect>>;
  readonly endsTurn: boolean;
  readonly kid: {
    readonly attempts: number;
    readonly cache: boolean;
    readonly remembers: boolean;
    readonly propagates: boolean;
  };
  readonly flow: { readonly attempts: number; readonly cache: boolean };
  readonly step: { readonly attempts: number; readonly cache: boolean };
  /** How often the first calls with a text fail. */
  readonly fails: Readonly<Record<'kid' | 'a' | 'box', number>>;
}

const effect = fc.constantFrom<Effect>('allow', 'allow', 'ask', 'deny');
const call = fc
  .record({ target: fc.constantFrom(...targets), name: fc.nat(9), text: fc.constantFrom('x', 'y', 'no') })
  .map(({ target, name, text }): Call => ({ target, text, name: names[target][name % names[target].length] ?? '' }));
const attempts = fc.integer({ min: 1, max: 3 });
const graphs: fc.Arbitrary<Graph> = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 6 }),
  hooks: fc.array(
    fc.record({ kind: fc.constantFrom('block', 'cache', 'cache', 'retry', 'log'), on: fc.constantFrom(...targets) }),
    { maxLength: 3 },
  ),
  effects: fc.record({
    kid: effect,
    flow: effect,
    box: effect,
    a: fc.constantFrom<Effect>('allow', 'allow', 'allow', 'deny', 'ask'),
  }),
  endsTurn: fc.boolean(),
  kid: fc.record({ attempts, cache: fc.boolean(), remembers: fc.boolean(), propagates: fc.boolean() }),
  flow: fc.record({ attempts, cache: fc.boolean() }),
  step: fc.record({ attempts, cache: fc.boolean() }),
  fails: fc.record({ kid: fc.nat(3), a: fc.nat(3), box: fc.nat(3) }),
});

interface Seen {
  /** The results that `lead` read: `ok` or the code, and the text of a success. */
  readonly results: string[];
  readonly status: 'completed' | 'failed';
  /** How often each agent and the tool ran. */
  readonly ran: Readonly<Record<string, number>>;
}

/** A person denies what says `no`. */
const isDenied = (text: string) => text === 'no';

type Result =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: string; readonly endsTurn?: boolean };
const failed = (code: string, endsTurn = false): Result => ({ ok: false, code, endsTurn });

class Model {
  readonly ran: Record<string, number> = {};
  private readonly kept = new Map<string, Result>();
  private readonly asked = new Map<string, number>();
  /** The messages that the conversation with `kid` has. */
  private remembered = 0;

  constructor(private readonly graph: Graph) {}

  predict(): Seen {
    const results: string[] = [];
    for (const one of this.graph.calls) {
      const result = this.throughHooks(one, 0);
      results.push(result.ok ? `ok ${result.text}` : result.code);
      const propagates = one.target === 'kid' && this.graph.kid.propagates;
      if (!result.ok && (result.endsTurn || propagates)) return { results, status: 'failed', ran: this.ran };
    }
    return { results, status: 'completed', ran: this.ran };
  }

  private throughHooks(one: Call, layer: number): Result {
    const hook = this.graph.hooks[layer];
    if (hook === undefined) return this.gate(one);
    const inner = () => this.throughHooks(one, layer + 1);
    if (hook.on !== one.target) return inner();
    switch (hook.kind) {
      case 'block':
        return failed('NOT_ALLOWED');
      case 'cache':
        return one.target === 'kid' && this.graph.kid.remembers
          ? inner()
          : this.once(`hook ${layer} ${one.name === 'worker_call'} ${one.text}`, inner);
      case 'retry': {
        if (one.target !== 'box') return inner();
        return this.again(3, inner);
      }
      default:
        return inner();
    }
  }

  private gate(one: Call): Result {
    const verdict = this.graph.effects[one.target];
    if (verdict === 'deny') return failed('APPROVAL_BLOCKED', this.graph.endsTurn);
    if (verdict === 'ask' && isDenied(one.text)) return failed('APPROVAL_DENIED', this.graph.endsTurn);
    switch (one.target) {
      case 'box':
        return this.run('box', one.text, 'TOOL_FAILED');
      case 'flow':
        return this.shared(this.graph.flow.cache, `flow ${one.text}`, () =>
          this.again(this.graph.flow.attempts, () => this.flow(one.text)),
        );
      case 'kid': {
        const { cache, remembers } = this.graph.kid;
        return this.shared(cache && !remembers, `kid ${one.text}`, () =>
          this.again(this.graph.kid.attempts, () => this.child(one.text)),
        );
      }
    }
  }

  private child(text: string): Result {
    const result = this.run('kid', text, 'AGENT_FAILED');
    if (!result.ok || !this.graph.kid.remembers) return result;
    this.remembered += 1;
    return { ok: true, text: `${result.text}#${this.remembered}` };
  }

  private flow(text: string): Result {
    this.count('flow');
    const verdict = this.graph.effects.a;
    if (verdict === 'deny') return failed('APPROVAL_BLOCKED');
    if (verdict === 'ask' && isDenied(text)) return failed('APPROVAL_DENIED');
    const { attempts: most, cache } = this.graph.step;
    const first = this.shared(cache, `a ${text}`, () => this.again(most, () => this.run('a', text, 'AGENT_FAILED')));
    if (!first.ok) return first;
    this.count('b');
    return { ok: true, text: `b(${first.text})` };
  }

  /** Runs an agent or the tool. It fails for the first calls with a text. */
  private run(who: 'kid' | 'a' | 'box', text: string, code: string): Result {
    this.count(who);
    const before = this.asked.get(`${who} ${text}`) ?? 0;
    this.asked.set(`${who} ${text}`, before + 1);
    return before < this.graph.fails[who] ? failed(code) : { ok: true, text: `${who}(${text})` };
  }

  /** A person's decision and a setting are final: neither is tried again. */
  private again(most: number, work: () => Result): Result {
    for (let left = most; ; left -= 1) {
      const result = work();
      if (result.ok || left <= 1 || result.code.startsWith('APPROVAL_')) return result;
    }
  }

  private shared(isOn: boolean, key: string, work: () => Result): Result {
    return isOn ? this.once(key, work) : work();
  }

  /** Only successes are kept. */
  private once(key: string, work: () => Result): Result {
    const known = this.kept.get(key);
    if (known) return known;
    const result = work();
    if (result.ok) this.kept.set(key, result);
    return result;
  }

  private count(who: string): void {
    this.ran[who] = (this.ran[who] ?? 0) + 1;
  }
}

async function run(graph: Graph): Promise<Seen> {
  const clock = fakeClock();
  const asked = new Map<string, number>();
  const failsNow = (who: 'kid' | 'a' | 'box', text: string) => {
    const before = asked.get(`${who} ${text}`) ?? 0;
    asked.set(`${who} ${text}`, before + 1);
    return before < graph.fails[who];
  };
  const agent =
    (who: 'kid' | 'a'): TestScript =>
    ({ messages }) => {
      const said = messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
      const text = said.at(-1) ?? '';
      if (failsNow(who, text)) return { error: { code: 'model_down', message: 'The model is down.' } };
      return who === 'kid' && graph.kid.remembers ? `kid(${text})#${said.length}` : `${who}(${text})`;
    };
  const model = scriptedModel(
    {
      lead: [
        ...graph.calls.map(({ target, name, text }) => ({
          calls: [{ tool: name, arguments: name === 'worker_call' ? { worker: target, input_data: text } : { text } }],
        })),
        'end',
      ],
      kid: agent('kid'),
      a: agent('a'),
      b: ({ messages }) => {
        const last = messages.at(-1);
        return `b(${last?.role === 'user' ? textOf(last.content) : ''})`;
      },
    },
    clock,
  );
  const tools = fakeTools({
    box__work: ({ text }) =>
      failsNow('box', String(text))
        ? { content: [{ type: 'text', text: 'Error: down' }], isError: true, errorCode: 'TOOL_FAILED' }
        : `box(${String(text)})`,
  });
  const people = fakePeople((question) => ({
    decision: JSON.stringify(question.arguments).includes('"no"') ? 'deny' : 'approve',
  }));
  const edges: Record<string, Record<string, DelegationOptions>> = {
    lead: {
      kid: {
        max_attempts: graph.kid.attempts,
        cache: graph.kid.cache,
        session: graph.kid.remembers ? 'reuse' : 'none',
        failure_mode: graph.kid.propagates ? 'propagate' : 'result',
      },
      flow: { max_attempts: graph.flow.attempts, cache: graph.flow.cache },
    },
    flow: { a: { max_attempts: graph.step.attempts, cache: graph.step.cache } },
  };
  const base = projectOf({
    kid: '',
    a: '',
    b: '',
    flow: 'type: chain\nsequence: [a, b]',
    lead: 'default: true\nagents: [kid, flow]',
  });
  const rule = (tool: string, agents: string[], wanted: Effect, on_denied: 'result' | 'fail') => ({
    tools: [tool],
    agents,
    effect: wanted,
    edit: true,
    on_denied,
    at_limit: 'deny' as const,
  });
  const parsed = {
    ...base,
    settings: {
      ...base.settings,
      delegations: edges,
      toolsets: { lead: { delegation: { allow_workers: ['kid'] } } },
      agent_hooks: {
        lead: hookEntries(
          graph.hooks.map(({ kind, on }) => ({
            [kind]: { when: { tool: toolOf[on] }, ...(kind === 'retry' && { attempts: 3, delay_ms: 1 }) },
          })),
        ),
      },
      approvals: {
        ...base.settings.approvals,
        rules: [
          ...targets.map((target) =>
            rule(toolOf[target], ['lead'], graph.effects[target], graph.endsTurn ? 'fail' : 'result'),
          ),
          rule('agent__a', ['flow'], graph.effects.a, 'result'),
        ],
      },
    },
  };
  const done = await runGraph({
    parsed,
    model,
    clock,
    people,
    tools: { mcp: tools },
    onSink: (sink) => people.watch(sink),
  });
  const ran: Record<string, number> = {};
  const count = (who: string) => {
    ran[who] = (ran[who] ?? 0) + 1;
  };
  for (const { path } of done.sink.of('instance.started')) {
    const agent = /([a-z]+)\[[\d.]+\]$/.exec(path)?.[1];
    if (agent !== undefined) count(agent);
  }
  for (const _ of tools.calls) count('box');
  return {
    results: done.sink
      .of('tool.ended')
      .flatMap(({ path, result }) =>
        path === 'lead' ? [result.isError ? (result.errorCode ?? 'no code') : `ok ${textOf(result.content)}`] : [],
      ),
    status: done.outcome.status === 'completed' ? 'completed' : 'failed',
    ran,
  };
}

it('graphs of hooks, approvals, caches, attempts, sessions and workflows do what the documents say', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      expect(await run(graph)).toEqual(new Model(graph).predict());
    }),
    { numRuns: tries(500) },
  );
});
