import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { folderOf } from '@/lib/cards/files';
import { childRoute } from '@/lib/runtime/delegation/child-route';
import type { SessionPort } from '@/lib/runtime/ports';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { type FakeClock, fakeClock } from '@/lib/testing/fake-clock';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';

interface SessionRun extends TestRun {
  /** What the lead read of each call, in order. */
  readonly results: readonly string[];
  /** What each expert was sent, instance by instance. */
  readonly seen: Readonly<Record<string, readonly string[]>>;
}

const ask = (text: string, session_id?: string): TestCall => ({
  tool: 'agent__expert',
  arguments: session_id === undefined ? { text } : { text, session_id },
});

/** `lead` makes the batches one after another; `expert` answers with how much it has been told so far. */
async function runBatches(
  batches: readonly (readonly TestCall[] | ((results: readonly string[]) => readonly TestCall[]))[],
  options: DelegationOptions,
  more: {
    readonly cards?: Readonly<Record<string, Partial<AgentCard>>>;
    readonly scripts?: (clock: FakeClock) => Readonly<Record<string, TestScript>>;
    readonly sessions?: SessionPort;
    readonly graph?: string;
    readonly delegations?: Readonly<Record<string, Record<string, DelegationOptions>>>;
    readonly files?: Readonly<Record<string, string>>;
    readonly runId?: string;
  } = {},
): Promise<SessionRun> {
  const clock = fakeClock();
  const model = scriptedModel(
    {
      lead: ({ turn, messages }) => {
        const batch = batches[turn - 1];
        if (!batch) return 'end';
        return { calls: typeof batch === 'function' ? batch(toolTexts(messages)) : batch };
      },
      expert: ({ messages }) => ({ text: `heard ${heard(messages).join(', ')}`, delayMs: 10 }),
      ...more.scripts?.(clock),
    },
    clock,
  );
  const parsed = graphOf(more.graph ?? 'lead > expert', {
    cards: more.cards ?? {},
    settings: { delegations: { lead: { expert: options }, ...more.delegations } },
  });
  const run = await runGraph({
    parsed,
    model,
    clock,
    sessions: more.sessions ?? memorySessions(),
    folder: folderOf(more.files ?? {}),
  });
  const results = run.sink
    .of('tool.ended')
    .flatMap(({ path, result }) => (path === 'lead' ? [textOf(result.content)] : []));
  const seen = Object.fromEntries(
    model.requests
      .filter(({ agentName }) => agentName === 'expert')
      .map(({ path, messages }) => [path, heard(messages)]),
  );
  return { ...run, results, seen };
}

function heard(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
}

function toolTexts(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ result }) => textOf(result.content)) : [],
  );
}

function idIn(text: string | undefined): string {
  return /^session_id: (\S+)/.exec(text ?? '')?.[1] ?? '';
}

describe('addressed sessions', () => {
  it('the id in the answer goes on with the session in a fresh instance', async () => {
    const { results, seen, sink } = await runBatches([[ask('one')], ([first]) => [ask('two', idIn(first))]], {
      session: 'addressed',
    });
    const id = idIn(results[0]);
    expect(results).toEqual([`session_id: ${id}\n\nheard one`, `session_id: ${id}\n\nheard one, two`]);
    expect(seen).toEqual({ 'lead/expert[1]': ['one'], 'lead/expert[2]': ['one', 'two'] });
    expect(sink.of('session.opened').map(({ sessionId, version }) => [sessionId, version])).toEqual([
      [id, 0],
      [id, 1],
    ]);
  });

  it('an answer that is passed on is without the id, which stays in the metadata', async () => {
    const { outcome, sink } = await runBatches([[ask('one')]], { session: 'addressed', skip_summarization: true });
    expect(outcome.answer).toBe('heard one');
    const [{ sessionId } = { sessionId: '' }] = sink.of('session.opened');
    expect(sink.of('tool.ended')[0]?.result.meta).toEqual({ sessionId });
  });

  it('has neither parameter nor header if sessions are off', async () => {
    const { results, sink } = await runBatches([[ask('one', 'x')]], {});
    expect(results).toEqual(['heard one']);
    expect(sink.of('session.opened')).toEqual([]);
  });

  it('takes a blank id for none, and the parameter is no part of the message', async () => {
    const { seen, results } = await runBatches([[ask('one', '  ')]], { session: 'addressed' });
    expect(seen).toEqual({ 'lead/expert[1]': ['one'] });
    expect(idIn(results[0])).not.toBe('');
  });

  it('has two parameters, of which only the message is required', () => {
    const { settings } = graphOf('lead > expert', {
      settings: { delegations: { lead: { expert: { session: 'addressed', input_mode: 'message' } } } },
    });
    const { inputSchema } = childRoute(agentCard('lead'), agentCard('expert'), settings, new Map()).tool;
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(['message', 'session_id']);
    expect(inputSchema.required).toEqual(['message']);
  });

  it('strips the id in every input mode', async () => {
    for (const input_mode of ['request', 'message', 'input_data'] as const) {
      const key = input_mode;
      const calls = [{ tool: 'agent__expert', arguments: { [key]: 'hello', session_id: 'x' } }];
      const { seen } = await runBatches([calls], { session: 'addressed', input_mode });
      expect(seen).toEqual({ 'lead/expert[1]': ['hello'] });
    }
    const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
    const { seen } = await runBatches(
      [[{ tool: 'agent__expert', arguments: { q: 'x', session_id: 'y' } }]],
      { session: 'addressed' },
      { cards: { expert: { toolInputSchema: schema } } },
    );
    expect(seen).toEqual({ 'lead/expert[1]': ['{"q":"x"}'] });
  });

  it('answers an unknown id with a new session and says so', async () => {
    for (const invented of ['abc', '..', '../../x']) {
      const { results } = await runBatches([[ask('one', invented)]], { session: 'addressed' });
      const id = idIn(results[0]);
      expect(id).not.toBe(invented);
      expect(results[0]).toBe(
        `session_id: ${id}\n(There is no session '${invented}' here: this is a new one.)\n\nheard one`,
      );
    }
  });

  it("takes another child's id for an unknown one", async () => {
    const sessions = memorySessions();
    const { results } = await runBatches(
      [[ask('one')], ([first]) => [{ tool: 'agent__other', arguments: { text: 'two', session_id: idIn(first) } }]],
      { session: 'addressed' },
      {
        sessions,
        graph: 'lead > expert, other',
        delegations: { lead: { expert: { session: 'addressed' }, other: { session: 'addressed' } } },
        scripts: () => ({ other: ({ messages }) => `heard ${heard(messages).join(', ')}` }),
      },
    );
    expect(results[1]).toContain('this is a new one');
    expect(results[1]).toContain('heard two');
    expect(idIn(results[1])).not.toBe(idIn(results[0]));
  });

  it('goes on in a later run of the project where there is a store, and not without it', async () => {
    const sessions = memorySessions();
    const first = await runBatches([[ask('one')]], { session: 'addressed' }, { sessions });
    const id = idIn(first.results[0]);
    const second = await runBatches([[ask('two', id)]], { session: 'addressed' }, { sessions });
    expect(second.seen).toEqual({ 'lead/expert[1]': ['one', 'two'] });
    const other = await runBatches([[ask('two', id)]], { session: 'addressed' });
    expect(other.seen).toEqual({ 'lead/expert[1]': ['two'] });
  });

  it('serialises calls of one session in call order and loses no message', async () => {
    const { seen, results } = await runBatches(
      [
        [ask('one')],
        ([first]) => ['two', 'three', 'four'].map((text) => ask(text, idIn(first))),
        ([first]) => [ask('five', idIn(first))],
      ],
      { session: 'addressed' },
    );
    expect(seen['lead/expert[4]']).toEqual(['one', 'two', 'three', 'four']);
    expect(seen['lead/expert[5]']).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(new Set(results.map(idIn)).size).toBe(1);
  });

  it('runs different sessions at the same time', async () => {
    const { clock } = await runBatches([[ask('one'), ask('two'), ask('three')]], { session: 'addressed' });
    expect(clock.now()).toBe(10);
  });

  it('keeps the state before a failed or timed out call', async () => {
    const scripts = () => ({
      expert: (({ messages }) => {
        const said = heard(messages);
        if (said.at(-1) === 'fail') return { error: { code: 'model_down', message: 'down' } };
        if (said.at(-1) === 'slow') return { text: 'late', delayMs: 90_000 };
        return `heard ${said.join(', ')}`;
      }) satisfies TestScript,
    });
    const { results, sink } = await runBatches(
      [
        [ask('one')],
        ([first]) => [ask('fail', idIn(first))],
        ([first]) => [ask('slow', idIn(first))],
        ([first]) => [ask('two', idIn(first))],
      ],
      { session: 'addressed', timeout_ms: 1_000 },
      { scripts },
    );
    expect(results[1]).toBe('Error: down');
    expect(results[2]).toBe("Error: Agent 'expert' timed out after 1 s.");
    expect(results[3]).toContain('heard one, two');
    expect(sink.of('session.saved').map(({ version }) => version)).toEqual([1, 2]);
  });

  it('stores history and state of a session', async () => {
    const sessions = memorySessions();
    const { results } = await runBatches([[ask('one')]], { session: 'addressed' }, { sessions });
    const key = { id: idIn(results[0]), owner: 'lead > expert' };
    expect(await sessions.read(key)).toEqual({
      version: 1,
      history: [
        { role: 'user', content: [{ type: 'text', text: 'one' }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'heard one' }],
          toolCalls: [],
          stopReason: 'end_turn',
        },
      ],
      state: {},
      activeGroups: [],
    });
    expect(await sessions.save(key, { version: 3, history: [], state: {}, activeGroups: [] }, 'w')).toBe('conflict');
  });

  it('use_history: false keeps no conversation', async () => {
    const { seen } = await runBatches(
      [[ask('one')], ([first]) => [ask('two', idIn(first))]],
      { session: 'addressed' },
      { cards: { expert: { useHistory: false } } },
    );
    expect(seen['lead/expert[2]']).toEqual(['two']);
  });

  it('refuses a session that would wait for itself', async () => {
    const { sink } = await runBatches(
      [[ask('one')]],
      { session: 'addressed', recursive: true },
      {
        graph: 'lead > expert; expert > expert',
        delegations: { expert: { expert: { isolation: 'shared' } }, lead: { expert: { isolation: 'shared' } } },
        scripts: () => ({ expert: [{ calls: [ask('again')] }, 'done'] }),
      },
    );
    expect(sink.of('tool.ended')[0]?.result.errorCode).toBe('NOT_ALLOWED');
  });
});

describe('reused sessions', () => {
  it('the third call sees the first two, without a parameter or a header', async () => {
    const { results } = await runBatches([[ask('one')], [ask('two'), ask('three')]], { session: 'reuse' });
    expect(results).toEqual(['heard one', 'heard one, two', 'heard one, two, three']);
  });

  it('another parent does not see them', async () => {
    const { seen } = await runBatches(
      [[{ tool: 'agent__mid' }, { tool: 'agent__mid' }]],
      {},
      {
        graph: 'lead > mid; mid > expert',
        delegations: { mid: { expert: { session: 'reuse' } } },
        scripts: () => ({ mid: [{ calls: [ask('a')] }, { calls: [ask('b')] }, 'mid'] }),
      },
    );
    expect(seen).toMatchObject({
      'lead/mid[1]/expert[2]': ['a', 'b'],
      'lead/mid[2]/expert[2]': ['a', 'b'],
    });
  });
});

describe('isolation', () => {
  it('shared: one instance for the run, one call after another, its conversation kept', async () => {
    const { results, clock, sink } = await runBatches([[ask('one'), ask('two')], [ask('three')]], {
      isolation: 'shared',
    });
    expect(results).toEqual(['heard one', 'heard one, two', 'heard one, two, three']);
    expect(clock.now()).toBe(30);
    expect(sink.of('instance.started').map(({ path }) => path)).toEqual([
      'lead',
      'lead/expert[1]',
      'lead/expert[2]',
      'lead/expert[3]',
    ]);
  });

  it('pool: so many at once, none sees another', async () => {
    const { results, clock } = await runBatches([['a', 'b', 'c', 'd', 'e'].map((text) => ask(text))], {
      isolation: { pool: 2 },
    });
    expect([...results].sort()).toEqual(['heard a', 'heard b', 'heard c', 'heard d', 'heard e']);
    expect(clock.now()).toBe(30);
  });

  it('clone: no instance waits for another or sees its messages', async () => {
    const { clock, results } = await runBatches([[ask('a'), ask('b')]], { isolation: 'clone' });
    expect(results).toEqual(['heard a', 'heard b']);
    expect(clock.now()).toBe(10);
  });
});

describe('history_source and history_merge_target', () => {
  const shots = { 'agent-cards/shots.txt': '---USER\nq\n---ASSISTANT\na' };
  const sources = async (card: Partial<AgentCard>) => {
    const { seen } = await runBatches(
      [[ask('one')], [ask('two')]],
      {},
      {
        cards: { lead: card, expert: { messages: ['shots.txt'] } },
        files: shots,
      },
    );
    return [seen['lead/expert[1]'], seen['lead/expert[2]']];
  };

  it('none is empty, messages are the files of the child, and unset means those', async () => {
    expect(await sources({ historySource: 'none' })).toEqual([['one'], ['two']]);
    expect(await sources({ historySource: 'messages' })).toEqual([
      ['q', 'one'],
      ['q', 'two'],
    ]);
    expect(await sources({})).toEqual([
      ['q', 'one'],
      ['q', 'two'],
    ]);
  });

  it('child begins with the template and merging makes it grow from batch to batch', async () => {
    expect(await sources({ historySource: 'child', historyMergeTarget: 'child' })).toEqual([
      ['q', 'one'],
      ['q', 'one', 'two'],
    ]);
    const { seen } = await runBatches(
      [[ask('one'), ask('two')], [ask('three')]],
      {},
      {
        cards: { lead: { historySource: 'child', historyMergeTarget: 'child' } },
      },
    );
    expect(seen['lead/expert[2]']).toEqual(['two']);
    expect(seen['lead/expert[3]']).toEqual(['one', 'two', 'three']);
  });

  it('orchestrator is what the parent has said and heard so far, without the open call', async () => {
    expect(await sources({ historySource: 'orchestrator' })).toEqual([
      ['go', 'one'],
      ['go', 'two'],
    ]);
  });

  it('merges into the history of the agent in the order asked, also through a pool of several callers', async () => {
    const clock = fakeClock();
    const model = scriptedModel(
      {
        lead: [{ calls: [ask('slow'), ask('fast')] }, { calls: [ask('last')] }, 'end'],
        expert: ({ messages }) => {
          const last = messages.at(-1);
          return { text: 'ok', delayMs: last?.role === 'user' && textOf(last.content) === 'slow' ? 50 : 1 };
        },
      },
      clock,
    );
    const parsed = graphOf('lead > expert', {
      cards: { lead: { historySource: 'child', historyMergeTarget: 'child' } },
      settings: { delegations: { lead: { expert: { isolation: { pool: 1 } } } } },
    });
    await runGraph({ parsed, model, clock });
    const seen = model.requests.at(-2)?.messages ?? [];
    expect(seen.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []))).toEqual([
      'slow',
      'fast',
      'last',
    ]);
  });

  it('a pool counts per name, for all callers together', async () => {
    const clock = fakeClock();
    const call = { tool: 'agent__kid', arguments: { text: 'x' } };
    const model = scriptedModel(
      {
        lead: [{ calls: ['a', 'b'].map((name) => ({ tool: `agent__${name}`, arguments: { text: 'x' } })) }, 'end'],
        a: [{ calls: [call, call] }, 'a'],
        b: [{ calls: [call, call] }, 'b'],
        kid: { text: 'k', delayMs: 10 },
      },
      clock,
    );
    const pool = { kid: { isolation: { pool: 2 } } };
    const parsed = graphOf('lead > a, b; a > kid; b > kid', { settings: { delegations: { a: pool, b: pool } } });
    const { sink } = await runGraph({ parsed, model, clock });
    let now = 0;
    let most = 0;
    for (const event of sink.events) {
      if (event.kind === 'instance.started' && event.path.includes('kid')) most = Math.max(most, ++now);
      if (event.kind === 'instance.ended' && event.path.includes('kid')) now -= 1;
    }
    expect([most, now]).toEqual([2, 0]);
  });

  it('merges into the orchestrator before the exchange that asked, in the order asked', async () => {
    const clock = fakeClock();
    const model = scriptedModel(
      {
        lead: [{ calls: [ask('slow'), ask('fast')] }, 'end'],
        expert: ({ messages }) => ({ text: 'ok', delayMs: heard(messages).at(-1) === 'slow' ? 20 : 10 }),
      },
      clock,
    );
    const parsed = graphOf('lead > expert', {
      cards: { lead: { historySource: 'none', historyMergeTarget: 'orchestrator' } },
    });
    await runGraph({ parsed, model, clock });
    const last = model.requests.at(-1)?.messages ?? [];
    expect(last.map((message) => (message.role === 'user' ? textOf(message.content) : message.role))).toEqual([
      'go',
      'slow',
      'assistant',
      'fast',
      'assistant',
      'assistant',
      'tool',
    ]);
  });

  it('a timeout is an error result and the turn goes on', async () => {
    const { results, outcome } = await runBatches(
      [[ask('one')]],
      {},
      {
        cards: { lead: { childTimeoutSec: 0.005, historySource: 'child', historyMergeTarget: 'child' } },
      },
    );
    expect(results).toEqual(["Error: Agent 'expert' timed out after 5 ms."]);
    expect(outcome.answer).toBe('end');
  });
});
