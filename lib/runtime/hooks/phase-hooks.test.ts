import { describe, expect, it } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { AgentCard, ToolHookPhase } from '@/lib/cards/card';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { type FakeHook, type FakeHooks, fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { type FakeTools, fakeTools } from '@/lib/testing/fake-tools';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { type ScriptedModel, scriptedModel, type TestScript } from '@/lib/testing/scripted-model';
import { trimToolHistory } from './trim-tool-history';

type Phase = NonNullable<FakeHook['phase']>;

describe('phase hooks', () => {
  it('run in the order of a turn, once per batch, with the message of their phase', async () => {
    const seen: Json[] = [];
    const note: Phase = (context, phase) => {
      const { message, iteration, isTurnComplete } = context;
      seen.push([phase, roleOf(message), iteration ?? null, isTurnComplete ?? null]);
      return undefined;
    };
    const { hooks } = await turn({
      hooks: { any: { phase: note } },
      card: {
        ...phases(['before_llm_call', 'after_llm_call', 'before_tool_call', 'after_tool_call', 'after_turn_complete']),
        ...lifecycle,
      },
    });
    expect(seen).toEqual([
      ['on_start', 'none', 0, false],
      ['before_llm_call', 'user', 0, false],
      ['after_llm_call', 'assistant', 0, false],
      ['before_tool_call', 'assistant', 0, false],
      ['after_tool_call', 'tool', 0, false],
      ['before_llm_call', 'tool', 1, false],
      ['after_llm_call', 'assistant', 1, true],
      ['after_turn_complete', 'assistant', 1, true],
      ['on_shutdown', 'none', 1, false],
    ]);
    expect(hooks.ran).toHaveLength(9);
  });

  it('before_llm_call edits what the model reads', async () => {
    const { model } = await turn({
      hooks: {
        any: {
          phase: (context) => ({
            ...(context.iteration === 0 && { message: user('edited') }),
            appendMessages: [user(`note ${Number(context.iteration)}`)],
          }),
        },
      },
      card: phases(['before_llm_call']),
    });
    expect(model.requests[0]?.messages).toEqual([user('edited'), user('note 0')]);
    expect(model.requests[1]?.messages.at(-1)).toEqual(user('note 1'));
  });

  it('before_llm_call can replace the history; what the model has not read yet stays', async () => {
    const { model } = await turn({
      hooks: { any: { phase: () => ({ messageHistory: [user('before')] }) } },
      card: phases(['before_llm_call']),
      script: 'end',
    });
    expect(model.requests.map(({ messages }) => messages)).toEqual([[user('before'), user('go')]]);
  });

  it.each([true, false])(
    'history, sent and pending messages are those of fast-agent (use_history: %s)',
    async (useHistory) => {
      const seen: Json[] = [];
      const note: Phase = ({ messageHistory, deltaMessages, turnMessages }, phase) => {
        seen.push([
          phase,
          ...[messageHistory, deltaMessages, turnMessages].map((list) => listOf(list).map(roleOf).join(' ')),
        ]);
        return undefined;
      };
      const all = [
        'before_llm_call',
        'after_llm_call',
        'before_tool_call',
        'after_tool_call',
        'after_turn_complete',
      ] as const;
      await turn({ hooks: { any: { phase: note } }, card: { ...phases([...all]), useHistory } });
      const whole = 'user assistant tool assistant';
      expect(seen).toEqual(
        useHistory
          ? [
              ['before_llm_call', '', 'user', 'user'],
              ['after_llm_call', 'user assistant', 'user', 'user assistant'],
              ['before_tool_call', 'user assistant', 'user', 'user assistant'],
              ['after_tool_call', 'user assistant', 'user', 'user assistant tool'],
              ['before_llm_call', 'user assistant', 'tool', 'user assistant tool'],
              ['after_llm_call', whole, 'tool', whole],
              ['after_turn_complete', whole, 'tool', whole],
            ]
          : [
              ['before_llm_call', '', 'user', 'user'],
              ['after_llm_call', '', 'user', 'user assistant'],
              ['before_tool_call', '', 'user', 'user assistant'],
              ['after_tool_call', '', 'user', 'user assistant tool'],
              ['before_llm_call', '', 'user assistant tool', 'user assistant tool'],
              ['after_llm_call', '', 'user assistant tool', whole],
              ['after_turn_complete', '', 'user assistant tool', whole],
            ],
      );
    },
  );

  it('what a hook keeps on its runner is there for the next one of the turn', async () => {
    const seen: Json[] = [];
    await turn({
      hooks: {
        any: {
          phase({ runner }) {
            seen.push(runner ?? null);
            return { runner: { count: Number(objectOf(runner).count ?? 0) + 1 } };
          },
        },
      },
      card: phases(['before_llm_call', 'before_tool_call']),
    });
    expect(seen).toEqual([{}, { count: 1 }, { count: 2 }]);
  });

  it('after_llm_call edits the answer', async () => {
    const { outcome } = await turn({
      hooks: { any: { phase: ({ message }) => ({ message: { ...objectOf(message), content: [text('changed')] } }) } },
      card: phases(['after_llm_call']),
      script: 'said',
    });
    expect(outcome.answer).toBe('changed');
  });

  it('before_tool_call changes arguments and takes calls out, as if never asked', async () => {
    const { tools, model } = await turn({
      hooks: {
        any: {
          phase({ message }) {
            const [first] = callsOf(message);
            return { message: { ...objectOf(message), toolCalls: [{ ...objectOf(first), argumentsText: '{"x":1}' }] } };
          },
        },
      },
      card: phases(['before_tool_call']),
      script: [{ calls: [{ tool: 'box__work', arguments: { x: 9 } }, { tool: 'box__work' }] }, 'end'],
    });
    expect(tools.calls.map(({ args }) => args)).toEqual([{ x: 1 }]);
    const assistant = model.requests[1]?.messages[1];
    expect(assistant?.role === 'assistant' && assistant.toolCalls.map(({ argumentsText }) => argumentsText)).toEqual([
      '{"x":1}',
    ]);
  });

  it('before_tool_call that takes all calls out ends the turn', async () => {
    const { tools, outcome, model } = await turn({
      hooks: { any: { phase: ({ message }) => ({ message: { ...objectOf(message), toolCalls: [] } }) } },
      card: phases(['before_tool_call']),
      script: [{ text: 'let me see', calls: [{ tool: 'box__work' }] }, 'end'],
    });
    expect([tools.calls, outcome.answer, model.requests.length]).toEqual([[], 'let me see', 1]);
  });

  it('before_tool_call that raises gives every call an error and ends the turn in error', async () => {
    const { tools, outcome, log, hooks } = await turn({
      hooks: { any: { phase: (_, phase) => (phase === 'before_tool_call' ? raise('not these') : undefined) } },
      card: phases(['before_tool_call', 'after_turn_complete']),
      script: [{ calls: [{ tool: 'box__work' }, { tool: 'box__work' }] }, 'end'],
    });
    expect(tools.calls).toEqual([]);
    const ends = log.flatMap((event) => (event.kind === 'tool.ended' ? [event.result] : []));
    const sentence =
      "Tool hook or execution failed during before_tool_call: Hook 'hooks.py:any' failed in before_tool_call: not these";
    expect(ends).toEqual(
      Array.from({ length: 2 }, () => ({ content: [text(sentence)], isError: true, errorCode: 'HOOK_FAILED' })),
    );
    expect(outcome.error).toEqual({
      code: 'hook_failed',
      message: "Hook 'hooks.py:any' failed in before_tool_call: not these",
    });
    expect(hooks.ran).toEqual(['any before_tool_call', 'any after_turn_complete']);
  });

  it('after_tool_call edits what the model reads of the results', async () => {
    const { model } = await turn({
      hooks: {
        any: {
          phase: ({ message }) => ({
            message: {
              role: 'tool',
              results: listOf(objectOf(message).results).map((entry) => ({
                ...objectOf(entry),
                result: { content: [text('hidden')], isError: false },
              })),
            },
            appendMessages: [user('and now?')],
          }),
        },
      },
      card: phases(['after_tool_call']),
    });
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool', results: [{ result: { content: [text('hidden')] } }] },
      user('and now?'),
    ]);
  });

  it('after_tool_call that raises is noted and ignored', async () => {
    const { outcome, log } = await turn({
      hooks: { any: { phase: () => raise('oops') } },
      card: phases(['after_tool_call']),
    });
    expect(outcome.answer).toBe('end');
    expect(log.filter((event) => event.kind === 'log').map(({ code, message }) => [code, message])).toEqual([
      ['hook_failed', "Hook 'hooks.py:any' failed in after_tool_call: oops Ignored."],
    ]);
  });

  it.each<ToolHookPhase>(['before_llm_call', 'after_llm_call', 'after_turn_complete'])(
    '%s that raises fails the turn',
    async (phase) => {
      const { outcome } = await turn({ hooks: { any: { phase: () => raise('no') } }, card: phases([phase]) });
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'hook_failed' } });
    },
  );

  it('a hook whose policy is skip changes nothing when it raises', async () => {
    const parsed = graphOf('lead', {
      cards: { lead: phases(['before_llm_call', 'after_turn_complete']) },
      settings: { hooks: { 'hooks.py:any': { on_error: 'skip', timeout_ms: 50 } } },
    });
    const timeouts: (number | undefined)[] = [];
    const hooks = fakeHooks({
      any: {
        phase(_, __, { timeoutMs }) {
          timeouts.push(timeoutMs);
          return raise('no');
        },
      },
    });
    const { outcome } = await runGraph({ parsed, hooks, model: scriptedModel({ lead: 'fine' }) });
    expect([outcome.answer, timeouts]).toEqual(['fine', [50, 50]]);
  });

  it('a message that is none counts as raised', async () => {
    const { outcome } = await turn({
      hooks: { any: { phase: () => ({ message: { role: 'pirate' } }) } },
      card: phases(['before_llm_call']),
    });
    expect(outcome.error?.code).toBe('hook_failed');
  });

  it('after_turn_complete changes the answer', async () => {
    const { outcome } = await turn({
      hooks: { any: { phase: ({ message }) => ({ message: { ...objectOf(message), content: [text('signed')] } }) } },
      card: phases(['after_turn_complete']),
    });
    expect(outcome.answer).toBe('signed');
  });

  it('a raising hook of a child is the error result of the call', async () => {
    const parsed = graphOf('lead > kid', { cards: { kid: phases(['before_llm_call']) } });
    const hooks = fakeHooks({ any: { phase: () => raise('no') } });
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' } }] }, 'end'] });
    const { sink } = await runGraph({ parsed, hooks, model });
    expect(sink.of('tool.ended')).toMatchObject([
      {
        result: {
          content: [text("Error: Hook 'hooks.py:any' failed in before_llm_call: no")],
          errorCode: 'AGENT_FAILED',
        },
      },
    ]);
  });
});

describe('lifecycle hooks', () => {
  it('on_start that raises aborts its instance before any model call', async () => {
    const { outcome, model, hooks } = await turn({ hooks: { any: { phase: () => raise('no') } }, card: lifecycle });
    expect(outcome.error).toEqual({ code: 'hook_failed', message: "Hook 'hooks.py:any' failed in on_start: no" });
    expect([model.requests.length, hooks.ran]).toEqual([0, ['any on_start']]);
  });

  it('on_shutdown that raises is noted', async () => {
    const { outcome, log } = await turn({
      hooks: { any: { phase: (_, phase) => (phase === 'on_shutdown' ? raise('no') : undefined) } },
      card: lifecycle,
    });
    expect(outcome.answer).toBe('end');
    expect(log.some((event) => event.kind === 'log' && event.code === 'hook_failed')).toBe(true);
  });

  it('run for every instance', async () => {
    const names: Json[] = [];
    const parsed = graphOf('lead > kid', { cards: { kid: lifecycle } });
    const hooks = fakeHooks({
      any: {
        phase({ instanceName }, phase) {
          names.push(`${phase} ${String(instanceName)}`);
          return undefined;
        },
      },
    });
    const call = { tool: 'agent__kid', arguments: { text: 'x' } };
    await runGraph({ parsed, hooks, model: scriptedModel({ lead: [{ calls: [call, call] }, 'end'], kid: 'hi' }) });
    expect([...names].sort()).toEqual([
      'on_shutdown kid[1]',
      'on_shutdown kid[2]',
      'on_start kid[1]',
      'on_start kid[2]',
    ]);
  });
});

describe('what a phase hook changed', () => {
  it('is the same in a run that goes on from any point of the log', async () => {
    let count = 0;
    const start = () => {
      const hooks: FakeHooks = fakeHooks({
        any: {
          phase({ message }, phase): JsonObject | undefined {
            // Not the same twice: only what is recorded may count.
            count += 1;
            if (phase === 'before_tool_call') {
              const [first] = callsOf(message);
              return {
                message: { ...objectOf(message), toolCalls: [{ ...objectOf(first), argumentsText: `{"n":${count}}` }] },
              };
            }
            if (phase === 'before_llm_call') return { appendMessages: [user(`${phase} ${count}`)] };
            return undefined;
          },
        },
      });
      const model = scriptedModel({
        lead: (request) =>
          request.turn === 1
            ? { calls: [{ tool: 'box__work' }, { tool: 'box__work' }] }
            : request.messages.map((message) => JSON.stringify(message)).join('\n'),
      });
      const tools = fakeTools({ box__work: ({ n }) => `worked ${Number(n)}` });
      return { hooks, model, tools };
    };
    const parsed = graphOf('lead', {
      cards: { lead: phases(['before_llm_call', 'before_tool_call', 'after_turn_complete']) },
    });
    const first = start();
    const whole = await runGraph({ parsed, hooks: first.hooks, model: first.model, tools: { mcp: first.tools } });
    const lastHook = whole.log.findLastIndex((event) => event.kind === 'hook.ended' && event.step === 'lead#h3');
    for (let length = 0; length <= whole.log.length; length++) {
      const again = start();
      const cut = whole.log.slice(0, length);
      const next = await runGraph({
        parsed,
        hooks: again.hooks,
        model: again.model,
        tools: { mcp: again.tools },
        log: cut,
      });
      expect(next.outcome.status).toBe('completed');
      const ended = new Set(cut.flatMap((event) => (event.kind === 'hook.ended' ? [event.step] : [])));
      expect(again.hooks.ran).toHaveLength(4 - ended.size);
      if (length > lastHook) expect(next.outcome).toEqual(whole.outcome);
    }
  });
});

describe('trim_tool_history', () => {
  const call = (id: string): Message => ({
    role: 'assistant',
    content: [],
    toolCalls: [{ id: brandAs<CallId>(id), name: 't', argumentsText: '{}' }],
    stopReason: 'tool_use',
  });
  const results = (id: string): Message => ({
    role: 'tool',
    results: [{ callId: brandAs<CallId>(id), result: { content: [text(id)], isError: false } }],
  });
  const answer: Message = { role: 'assistant', content: [text('done')], toolCalls: [], stopReason: 'end_turn' };

  it('keeps the message, the last call with its results and the answer', () => {
    const before = [user('earlier'), answer];
    const turnOf = (...ids: readonly string[]) => [
      user('now'),
      ...ids.flatMap((id) => [call(id), results(id)]),
      answer,
    ];
    expect(trimToolHistory([...before, ...turnOf('a', 'b', 'c')])).toEqual([...before, ...turnOf('c')]);
    expect(trimToolHistory(turnOf('a'))).toEqual(turnOf('a'));
    expect(trimToolHistory([user('now'), answer])).toEqual([user('now'), answer]);
    const cutOff = turnOf('a', 'b').slice(0, -1);
    expect(trimToolHistory(cutOff)).toEqual(cutOff);
  });
});

it('trim_tool_history is what a conversation that goes on begins with', async () => {
  const parsed = graphOf('lead > kid', {
    cards: { kid: { trimToolHistory: true } },
    settings: { delegations: { lead: { kid: { session: 'reuse' } } } },
  });
  const ask = (value: string) => ({ calls: [{ tool: 'agent__kid', arguments: { text: value } }] });
  const work = { calls: [{ tool: 'box__work' }] };
  const model = scriptedModel({
    lead: [ask('first'), ask('second'), 'end'],
    kid: (request) => (request.turn < 3 && request.instanceName === 'kid[1]' ? work : 'done'),
  });
  const whole = await runGraph({ parsed, model, tools: { mcp: fakeTools({ box__work: () => 'worked' }) } });
  const second = model.requests.find(({ instanceName }) => instanceName === 'kid[2]');
  expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  // The same where the first call is only in the log.
  const cut = whole.log.findIndex((event) => event.kind === 'instance.ended' && event.path === 'lead/kid[1]') + 1;
  const again = scriptedModel({ lead: [ask('first'), ask('second'), 'end'], kid: () => 'done' });
  await runGraph({ parsed, model: again, log: whole.log.slice(0, cut) });
  const resumed = again.requests.find(({ instanceName }) => instanceName === 'kid[2]');
  expect(resumed?.messages).toEqual(second?.messages);
});

const lifecycle: Partial<AgentCard> = { lifecycleHooks: { on_start: hookRef('any'), on_shutdown: hookRef('any') } };

function phases(names: readonly ToolHookPhase[]): Partial<AgentCard> {
  return { toolHooks: { form: 'phases', phases: Object.fromEntries(names.map((name) => [name, hookRef('any')])) } };
}

interface Turn {
  readonly hooks: Readonly<Record<string, FakeHook>>;
  readonly card: Partial<AgentCard>;
  readonly script?: TestScript;
}

interface TurnDone {
  readonly outcome: Awaited<ReturnType<typeof runGraph>>['outcome'];
  readonly log: readonly RunEvent[];
  readonly model: ScriptedModel;
  readonly tools: FakeTools;
  readonly hooks: FakeHooks;
}

async function turn({
  hooks: given,
  card,
  script = [{ calls: [{ tool: 'box__work' }] }, 'end'],
}: Turn): Promise<TurnDone> {
  const parsed = graphOf('lead', { cards: { lead: agentCard('lead', card) } });
  const hooks = fakeHooks(given);
  const tools = fakeTools({ box__work: () => 'worked' });
  const model = scriptedModel({ lead: script });
  const { outcome, log } = await runGraph({ parsed, hooks, model, tools: { mcp: tools } });
  return { outcome, log, model, tools, hooks };
}

function user(value: string) {
  return { role: 'user' as const, content: [text(value)] };
}

function text(value: string) {
  return { type: 'text' as const, text: value };
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function callsOf(message: Json | undefined): readonly Json[] {
  return listOf(objectOf(message).toolCalls);
}

function roleOf(message: Json | undefined): Json {
  return objectOf(message).role ?? 'none';
}

function raise(message: string): never {
  throw new Error(message);
}
