import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@/lib/base/json';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { projectHistory } from '@/lib/runtime/delegation/project-history';
import { type Message, textOf } from '@/lib/runtime/record/messages';
import { stateDown, stateKeyProblem, stateUp } from '@/lib/runtime/state/state';
import { fakeTools } from '@/lib/testing/fake-tools';
import { type CallsRun, runCalls } from '@/lib/testing/run-calls';
import type { TestCall, TestScript } from '@/lib/testing/scripted-model';

/** `box__put` writes its arguments to the state of its caller, `box__see` answers what it is. */
function stateTools(slow?: (ms: number) => Promise<void>) {
  return fakeTools({
    async box__put(args, { state }) {
      const problems = Object.entries(args).flatMap(([key, value]) => state.write(key, value) ?? []);
      await slow?.(1);
      if ('fail' in args || problems.length > 0) {
        return { content: [{ type: 'text', text: problems.join(' ') }], isError: true, errorCode: 'TOOL_FAILED' };
      }
      return 'put';
    },
    box__see: (_, { state }) => JSON.stringify(state.values()),
  });
}

const put = (args: JsonObject): TestCall => ({ tool: 'box__put', arguments: args });
const see: TestCall = { tool: 'box__see' };
const kid = (text = ''): TestCall => ({ tool: 'agent__kid', arguments: { text } });

function edge(options: DelegationOptions) {
  return { delegations: { lead: { kid: options } } };
}

/** `lead` makes these batches, one after another; the results of the last one are its answer. */
function batches(...all: readonly (readonly TestCall[])[]): TestScript {
  return ({ turn, messages }) => {
    const calls = all[turn - 1];
    if (calls) return { calls };
    const last = messages.at(-1);
    return last?.role === 'tool' ? last.results.map(({ result }) => textOf(result.content)).join('\n') : '';
  };
}

async function run(
  lead: TestScript,
  kidScript: TestScript,
  options: DelegationOptions = {},
  shorthand = 'lead > kid',
  more: Record<string, TestScript> = {},
): Promise<CallsRun> {
  return runCalls(shorthand, [], {
    scripts: { lead, kid: kidScript, ...more },
    settings: edge(options),
    tools: stateTools(),
  });
}

function changes(done: CallsRun): unknown[] {
  return done.sink.of('state.changed').map(({ path, from, outcome, delta }) => [path, from, outcome, delta]);
}

describe('history', () => {
  const user: Message = { role: 'user', content: [{ type: 'text', text: 'q' }] };
  const says = (text: string, calls = 0): Message => ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    toolCalls: Array.from({ length: calls }, (_, i) => ({ id: `${i}` as never, name: 't', argumentsText: '' })),
    stopReason: calls > 0 ? 'tool_use' : 'end_turn',
  });
  const result: Message = { role: 'tool', results: [] };

  it('keeps complete exchanges, and none unless asked', () => {
    const messages = [user, says('a', 1), result, says('b'), user, says('open', 1)];
    expect(projectHistory(messages)).toEqual([]);
    expect(projectHistory(messages, 'none')).toEqual([]);
    expect(projectHistory(messages, { last: 0 })).toEqual([]);
    expect(projectHistory(messages, 'full')).toEqual(messages.slice(0, 5));
    expect(projectHistory(messages, { last: 2 })).toEqual([says('b'), user]);
    // A bound that falls inside an exchange moves on to the message after it.
    expect(projectHistory(messages, { last: 3 })).toEqual([says('b'), user]);
    expect(projectHistory(messages, { last: 4 })).toEqual(messages.slice(1, 5));
    expect(projectHistory(messages, { last: 99 })).toEqual(messages.slice(0, 5));
  });

  it('reaches the child before its own message, and nothing of the child reaches the parent', async () => {
    const done = await run(batches([see], [kid('now')]), 'kid says', { history: 'full' });
    const child = done.model.requests.find(({ agentName }) => agentName === 'kid');
    expect(child?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(child?.messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'now' }] });
    const last = done.model.requests.at(-1);
    expect(last?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  });
});

describe('state down', () => {
  const parent: JsonObject = {
    'user:name': 'Alice',
    'user:preferences': { theme: 'dark' },
    'temp:current_task': 'analysis',
    _adk_internal: 'hidden',
    _sys_x: 1,
  };
  const { _adk_internal, _sys_x, ...seed } = parent;

  it('history and state are asked for one without the other', async () => {
    const begun = async (keys: string[]) => {
      const done = await run(batches([put({ a: 1 })], [kid()]), 'k', {
        history: { last: 0 },
        state: { down: { keys } },
      });
      const { state, historyCount } = done.sink.of('instance.started')[1] ?? {};
      return [state, historyCount];
    };
    expect(await begun(['nowhere'])).toEqual([undefined, undefined]);
    expect(await begun(['a'])).toEqual([{ a: 1 }, undefined]);
  });

  it("hides internal keys, as in the seed's own example", async () => {
    const done = await run(batches([put(parent)], [kid()]), batches([see]));
    expect(JSON.parse(done.outcome.answer ?? '')).toEqual(seed);
    expect(done.sink.of('instance.started')[1]?.state).toEqual(seed);
  });

  it('can be none or an allow list', () => {
    expect(stateDown(parent)).toEqual(seed);
    expect(stateDown(parent, 'none')).toEqual({});
    expect(stateDown(parent, { keys: ['user:name', '_adk_internal', 'nowhere'] })).toEqual({ 'user:name': 'Alice' });
  });

  it('gives copies: a tool that changes a value changes no state', async () => {
    const tools = stateTools();
    tools.add('box__spoil', (_, { state }) => {
      const values = state.values() as { list?: Json[] };
      values.list?.push('spoilt');
      return JSON.stringify(values);
    });
    const done = await runCalls('lead > kid', [], {
      scripts: { lead: batches([put({ list: [] })], [kid()], [see]), kid: batches([{ tool: 'box__spoil' }]) },
      tools,
    });
    expect(done.results.map(({ content }) => textOf(content))).toEqual(['put', '{"list":["spoilt"]}', '{"list":[]}']);
  });
});

describe('state up', () => {
  it('comes with success, at once, without internal and temp: keys', async () => {
    const written = { a: 1, 'temp:b': 2, _adk_x: 3, _sys_y: 4, 'user:c': 5 };
    const done = await run(batches([kid()], [see]), batches([put(written)]));
    expect(JSON.parse(done.outcome.answer ?? '')).toEqual({ a: 1, 'user:c': 5 });
    expect(changes(done)).toEqual([
      ['lead/kid[1]', undefined, 'committed', written],
      ['lead', 'lead/kid[1]', 'committed', { a: 1, 'user:c': 5 }],
    ]);
    expect(stateUp(written)).toEqual({ a: 1, 'user:c': 5 });
  });

  it('leaves nothing of a child that fails or times out', async () => {
    const broken: TestScript = ({ turn }) =>
      turn === 1 ? { calls: [put({ a: 1 })] } : { error: { code: 'model_down', message: 'Down.' } };
    expect((await run(batches([kid()], [see]), broken)).outcome.answer).toBe('{}');
    const slow: TestScript = ({ turn }) => (turn === 1 ? { calls: [put({ a: 1 })] } : { text: 'late', delayMs: 9_000 });
    const timedOut = await run(batches([kid()], [see]), slow, { timeout_ms: 100 });
    expect(timedOut.outcome.answer).toBe('{}');
  });

  it('does not keep what a failing tool wrote', async () => {
    expect((await run(batches([put({ a: 1, fail: true })], [see]), '')).outcome.answer).toBe('{}');
  });

  it('is committed in call order, not in the order of finishing', async () => {
    const writer: TestScript = ({ turn, instanceName, messages }) => {
      if (turn > 1) return { text: 'done', delayMs: instanceName === 'kid[1]' ? 500 : 1 };
      const [first] = messages;
      return { calls: [put({ who: first?.role === 'user' ? textOf(first.content) : '' })] };
    };
    const done = await run(batches([kid('one'), kid('two')], [see]), writer);
    expect(done.outcome.answer).toBe('{"who":"two"}');
    expect(changes(done).slice(-2)).toEqual([
      ['lead', 'lead/kid[1]', 'committed', { who: 'one' }],
      ['lead', 'lead/kid[2]', 'committed', { who: 'two' }],
    ]);
  });

  it('siblings begin with the same state, whatever an earlier one has committed', async () => {
    const writer: TestScript = ({ turn }) => (turn === 1 ? { calls: [see, put({ n: 1 })] } : 'done');
    const done = await runCalls('lead > kid', [], {
      scripts: { lead: batches([kid(), kid()]), kid: writer },
      cards: { lead: { maxParallel: 1 } },
      tools: stateTools(),
    });
    const seen = done.sink
      .of('tool.ended')
      .flatMap(({ path, result }) => (path === 'lead' ? [] : [textOf(result.content)]));
    expect(seen).toEqual(['{}', 'put', '{}', 'put']);
  });

  it('isolate keeps it with the child and shows what was discarded', async () => {
    const done = await run(batches([kid()], [see]), batches([put({ a: 1 })]), { state: { isolate: true } });
    expect(done.outcome.answer).toBe('{}');
    expect(changes(done).at(-1)).toEqual(['lead', 'lead/kid[1]', 'discarded', { a: 1 }]);
  });

  it('goes up one level at a time', async () => {
    const done = await run(batches([kid()], [see]), batches([{ tool: 'agent__deep' }]), {}, 'lead > kid; kid > deep', {
      deep: batches([put({ deep: true })]),
    });
    expect(done.outcome.answer).toBe('{"deep":true}');
    expect(changes(done).map((change) => (change as unknown[])[0])).toEqual([
      'lead/kid[1]/deep[1]',
      'lead/kid[1]',
      'lead',
    ]);
  });
});

describe('write policies', () => {
  const lead = batches([kid(), kid()], [see]);
  const writer = (delta: JsonObject): TestScript => batches([put(delta)]);

  it('refuses a key that is not among write_keys and takes over nothing', async () => {
    const done = await run(batches([kid()], [see]), writer({ a: 1, b: 2 }), { state: { write_keys: ['a'] } });
    expect(done.results[0]).toMatchObject({ isError: true, errorCode: 'STATE_WRITE_DENIED' });
    expect(textOf(done.results[0]?.content ?? [])).toContain("'b'");
    expect(done.outcome.answer).toBe('{}');
    expect(changes(done).at(-1)).toEqual(['lead', 'lead/kid[1]', 'refused', { a: 1, b: 2 }]);
  });

  it('reject compares with the value when the delegation began', async () => {
    const done = await run(lead, writer({ a: 1, b: 2 }), { state: { on_conflict: 'reject' } });
    // The second one writes what the first one wrote: no difference to its own beginning is hidden by that.
    expect(done.results.map(({ errorCode }) => errorCode)).toEqual([undefined, 'STATE_CONFLICT', undefined]);
    expect(textOf(done.results[1]?.content ?? [])).toContain("'a'");
    expect(done.outcome.answer).toBe('{"a":1,"b":2}');
    expect(changes(done).at(-1)).toEqual(['lead', 'lead/kid[2]', 'refused', { a: 1, b: 2 }]);
  });

  it('does not look at exempt keys, and overwrite looks at none', async () => {
    const exempt = await run(lead, writer({ a: 1 }), { state: { on_conflict: 'reject', conflict_exempt: ['a'] } });
    expect(exempt.results.every(({ isError }) => !isError)).toBe(true);
    expect(changes(exempt).slice(-2)).toEqual([
      ['lead', 'lead/kid[1]', 'committed', { a: 1 }],
      ['lead', 'lead/kid[2]', 'committed', { a: 1 }],
    ]);
    const other: DelegationOptions = { state: { on_conflict: 'reject', conflict_exempt: ['a'], write_keys: ['b'] } };
    const denied = await run(lead, writer({ a: 1 }), other);
    // An exempt key is exempt from the comparison alone.
    expect(denied.results[0]?.errorCode).toBe('STATE_WRITE_DENIED');
    const overwrite = await run(lead, writer({ a: 1 }), {});
    expect(overwrite.results.every(({ isError }) => !isError)).toBe(true);
  });
});

describe('keys', () => {
  it.each(['', 'a/b', 'a\\b', 'a..b', 'a\0b', 'x'.repeat(257), 'ü'.repeat(129)])('%j is refused', (key) => {
    expect(stateKeyProblem(key)).toMatch(/^The state key/);
  });

  it.each(['a', 'user:name', 'a.b', 'x'.repeat(256), 'ü'.repeat(128), '__proto__x'])('%j is fine', (key) => {
    expect(stateKeyProblem(key)).toBeUndefined();
  });

  it('a refused key is an error of its write, and is not stored', async () => {
    const done = await run(batches([put({ 'a/b': 1, ok: 2 })], [see]), '');
    expect(done.results[0]?.isError).toBe(true);
    expect(textOf(done.results[0]?.content ?? [])).toContain("'a/b'");
    expect(done.outcome.answer).toBe('{}');
  });
});
