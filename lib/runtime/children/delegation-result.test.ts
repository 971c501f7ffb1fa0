import { describe, expect, it } from 'vitest';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { folderOf } from '@/lib/cards/files';
import type { Artifacts } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, type FakeHook, fakeHooks } from '@/lib/testing/fake-hooks';
import { graphOf } from '@/lib/testing/graph-of';
import { type CallsRun, runCalls } from '@/lib/testing/run-calls';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const kid = (args: Record<string, unknown> = { text: 'x' }) => ({ tool: 'agent__kid', arguments: args });
const pal = { tool: 'agent__pal', arguments: { text: 'x' } };
const down: TestScript = { error: { code: 'model_down', message: 'The model is down.' } };

function edges(kidOptions: DelegationOptions, palOptions: DelegationOptions = {}) {
  return { delegations: { lead: { kid: kidOptions, pal: palOptions } } };
}

function texts(run: CallsRun): string[] {
  return run.results.map(({ content }) => textOf(content));
}

function leadCalls(run: CallsRun): number {
  return run.model.requests.filter(({ agentName }) => agentName === 'lead').length;
}

describe('failures', () => {
  const failing: [string, Parameters<typeof runCalls>[1][number], DelegationOptions, TestScript, string][] = [
    ['AGENT_FAILED', kid(), {}, down, 'The model is down.'],
    ['AGENT_TIMEOUT', kid(), { timeout_ms: 10 }, { text: 'late', delayMs: 99 }, "Agent 'kid' timed out after 10 ms."],
    [
      'INPUT_VALIDATION',
      { tool: 'agent__kid', arguments: '{"cut' },
      {},
      'never',
      "The arguments of 'agent__kid' are not a JSON object. Send one that fits the tool's parameters.",
    ],
    [
      'OUTPUT_VALIDATION',
      kid(),
      { output_schema: { type: 'object' } },
      ['words', 'words again'],
      "The answer of agent 'kid' is not valid: it is not JSON.",
    ],
    [
      'ATTACHMENT_REFUSED',
      kid({ attachments: ['x'] }),
      { attachments: {} },
      'never',
      "The attachment 'x' does not exist.",
    ],
  ];

  it.each(failing)('%s is a result by default, and the parent goes on', async (code, call, options, script, why) => {
    const run = await runCalls('lead > kid', [call], { scripts: { kid: script }, settings: edges(options) });
    expect(run.results).toEqual([
      { isError: true, errorCode: code, content: [{ type: 'text', text: `Error: ${why}` }] },
    ]);
    expect(run.outcome).toMatchObject({ status: 'completed', answer: 'end' });
  });

  it.each(failing)('%s ends the parent when it propagates', async (code, call, options, script, why) => {
    const settings = edges({ ...options, failure_mode: 'propagate' });
    const run = await runCalls('lead > kid', [call], { scripts: { kid: script }, settings });
    expect(run.outcome).toMatchObject({ status: 'failed', error: { code: code.toLowerCase(), message: why } });
    expect(leadCalls(run)).toBe(1);
  });

  it('brings what the child had said before it failed, and a parent that ends with the error keeps to the error', async () => {
    const half = { text: 'Half of it.', calls: [{ tool: 'nowhere' }] };
    const options = { scripts: { kid: [half, down] } };
    const run = await runCalls('lead > kid', [kid()], options);
    expect(run.results[0]).toEqual({
      isError: true,
      errorCode: 'AGENT_FAILED',
      content: [
        { type: 'text', text: 'Half of it.' },
        { type: 'text', text: 'Error: The model is down.' },
      ],
    });
    const settings = edges({ failure_mode: 'propagate' });
    const ended = await runCalls('lead > kid', [kid()], { ...options, settings });
    expect(ended.outcome.error).toEqual({ code: 'agent_failed', message: 'The model is down.' });
    const late = await runCalls('lead > kid', [kid()], {
      scripts: { kid: [half, { text: 'late', delayMs: 99 }] },
      settings: edges({ timeout_ms: 10 }),
    });
    expect(texts(late)).toEqual(["Half of it.\nError: Agent 'kid' timed out after 10 ms."]);
  });

  it('tells the next attempt why an answer was not accepted, also after a crash', async () => {
    const settings = edges({ max_attempts: 3, output_schema: { type: 'object', required: ['a'] } });
    const parsed = graphOf('lead > kid', { settings });
    const answers = ['words', '{}', '{"a":1}'];
    const scripts = (): Record<string, TestScript> => ({
      lead: [{ calls: [kid({ text: 'go on' })] }, 'end'],
      kid: ({ instanceName }) => answers[Number(/\.(\d)/.exec(instanceName)?.[1] ?? 1) - 1] ?? 'none',
    });
    const run = await runGraph({ parsed, model: scriptedModel(scripts()) });
    const started = run.sink.of('instance.started').slice(1);
    const why = (reason: string) =>
      `go on\n\n(An earlier attempt was not accepted. The answer of agent 'kid' is not valid: ${reason}. Answer so that it fits.)`;
    expect(started.map(({ input }) => input)).toEqual([
      'go on',
      why('it is not JSON'),
      why("the answer must have required property 'a'"),
    ]);
    const ended = run.sink.of('instance.ended').map(({ status }) => status);
    expect(ended).toEqual(['failed', 'failed', 'completed', 'completed']);
    for (let length = 1; length < run.log.length; length++) {
      const next = await runGraph({ parsed, model: scriptedModel(scripts()), log: run.log.slice(0, length) });
      const inputs = next.log.flatMap((event) => (event.kind === 'instance.started' ? [event.input] : []));
      expect(inputs).toEqual(['go', ...started.map(({ input }) => input)]);
    }
  });

  it('propagates only after the siblings have ended and are recorded', async () => {
    const run = await runCalls('lead > kid, pal', [kid(), pal], {
      scripts: { kid: down, pal: { text: 'pal says', delayMs: 50 } },
      settings: edges({ failure_mode: 'propagate' }),
    });
    expect(run.outcome.status).toBe('failed');
    expect(texts(run)).toEqual(['Error: The model is down.', 'pal says']);
  });

  it('is an ordinary result for the caller of the parent', async () => {
    const run = await runCalls('lead > kid; kid > pal', [kid()], {
      scripts: { kid: [{ calls: [pal] }, 'never'], pal: down },
      settings: { delegations: { kid: { pal: { failure_mode: 'propagate' } } } },
    });
    expect(run.results[0]).toMatchObject({ errorCode: 'AGENT_FAILED' });
    expect(texts(run)).toEqual(['Error: The model is down.']);
    expect(run.outcome.answer).toBe('end');
  });
});

describe('skip_summarization', () => {
  const skip = { skip_summarization: true } as const;

  it('the answer is the result and no further model call is made', async () => {
    const run = await runCalls('lead > kid', [kid()], { settings: edges(skip) });
    expect(run.outcome).toMatchObject({ status: 'completed', answer: 'kid says' });
    expect(leadCalls(run)).toBe(1);
    expect(run.sink.of('instance.ended').at(-1)).toMatchObject({ path: 'lead', answer: 'kid says' });
    const without = await runCalls('lead > kid', [kid()]);
    expect([without.outcome.answer, leadCalls(without)]).toEqual(['end', 2]);
  });

  it.each([
    ['a JSON text is kept exactly', undefined, '{ "a":  1 }', '{ "a":  1 }'],
    ['an object is written as JSON', { type: 'object' }, '{ "a":  1 }', '{"a":1}'],
    ['a string of a schema is itself', { enum: ['yes'] }, '"yes"', 'yes'],
  ])('%s', async (_, output_schema, answer, expected) => {
    const run = await runCalls('lead > kid', [kid()], {
      scripts: { kid: answer },
      settings: edges({ ...skip, output_schema }),
    });
    expect(run.outcome.answer).toBe(expected);
  });

  it('records all results of the batch first; several flagged ones are joined in call order', async () => {
    const run = await runCalls('lead > kid, pal', [kid(), pal, kid()], {
      scripts: {
        kid: ({ instanceName }) => ({ text: instanceName, delayMs: instanceName === 'kid[1]' ? 90 : 1 }),
        pal: { text: 'pal says', delayMs: 50 },
      },
      settings: edges(skip),
    });
    expect(run.outcome.answer).toBe('kid[1]\nkid[2]');
    expect(texts(run).sort()).toEqual(['kid[1]', 'kid[2]', 'pal says']);
    expect(leadCalls(run)).toBe(1);
  });

  it('a failing flagged call does not end the turn; beside a flagged success it does not matter', async () => {
    const alone = await runCalls('lead > kid', [kid()], { scripts: { kid: down }, settings: edges(skip) });
    expect(alone.outcome.answer).toBe('end');
    const beside = await runCalls('lead > kid, pal', [kid(), pal], {
      scripts: { kid: down, pal: 'pal says' },
      settings: edges(skip, skip),
    });
    expect(beside.outcome.answer).toBe('pal says');
  });

  it('is ignored for an agent whose own answer must fit a schema', async () => {
    const run = await runCalls('lead > kid; kid > pal', [kid()], {
      scripts: { kid: [{ calls: [pal] }, '{"kid":1}'], pal: 'words' },
      settings: {
        delegations: { lead: { kid: { output_schema: { type: 'object' } } }, kid: { pal: skip } },
      },
    });
    expect(run.results[0]?.structuredContent).toEqual({ kid: 1 });
  });

  it('ends the turn of the agent whose delegation sets it, and of no agent above', async () => {
    const run = await runCalls('lead > kid; kid > pal', [kid()], {
      scripts: { kid: [{ calls: [pal] }], pal: 'pal says' },
      settings: { delegations: { kid: { pal: skip } } },
    });
    expect(texts(run)).toEqual(['pal says']);
    expect(run.outcome.answer).toBe('end');
  });
});

describe('what the parent reads', () => {
  it('is the answer itself, unwrapped', async () => {
    const run = await runCalls('lead > kid', [kid()], { scripts: { kid: '{"a":1}' } });
    expect(run.results).toEqual([{ content: [{ type: 'text', text: '{"a":1}' }], isError: false }]);
  });

  it('is (No response) when there is none', async () => {
    const thoughts: TestScript = {
      message: { role: 'assistant', content: [], reasoning: 'hmm', toolCalls: [], stopReason: 'end_turn' },
    };
    for (const script of ['', thoughts]) {
      const run = await runCalls('lead > kid', [kid()], { scripts: { kid: script } });
      expect(texts(run)).toEqual(['(No response)']);
    }
  });
});

describe('the error of a failure', () => {
  const said: TestScript = [
    { text: 'Error: the page said 404', calls: [kid()] },
    { text: 'late', delayMs: 99 },
  ];

  it('that is propagated is never the words of the child, even if they begin like an error', async () => {
    const run = await runCalls('lead > kid; kid > kid', [kid()], {
      scripts: { kid: said },
      settings: { delegations: { lead: { kid: { failure_mode: 'propagate', timeout_ms: 50, max_depth: 1 } } } },
    });
    expect(run.outcome.error).toEqual({ code: 'agent_timeout', message: "Agent 'kid' timed out after 50 ms." });
  });
});

describe('cache', () => {
  it('asks again where the child would see another state, history or file', async () => {
    const set = (value: number) => ({ calls: [{ tool: 'set_state', arguments: { key: 'n', value } }] });
    const ask = { calls: [kid()] };
    const count = async (
      options: DelegationOptions,
      lead: TestScript,
      cards: Parameters<typeof graphOf>[1] = {},
    ): Promise<number> => {
      const parsed = graphOf('lead > kid', {
        ...cards,
        settings: { ...edges({ ...options, cache: true }), runtime_tools: { state: true } },
      });
      const model = scriptedModel({ lead, kid: 'kid says' });
      await runGraph({ parsed, model });
      return model.requests.filter(({ agentName }) => agentName === 'kid').length;
    };
    expect(await count({}, [set(1), ask, ask, 'end'])).toBe(1);
    expect(await count({}, [set(1), ask, set(2), ask, set(1), ask, 'end'])).toBe(2);
    expect(await count({ state: { down: 'none' } }, [set(1), ask, set(2), ask, 'end'])).toBe(1);
    expect(await count({ state: { down: { keys: ['m'] } } }, [set(1), ask, set(2), ask, 'end'])).toBe(1);
    expect(await count({ history: 'full' }, [ask, ask, 'end'])).toBe(2);
    const source = { cards: { lead: { historySource: 'orchestrator' as const } } };
    expect(await count({}, [ask, ask, 'end'], source)).toBe(2);
    const merging = { cards: { lead: { historySource: 'child' as const, historyMergeTarget: 'child' as const } } };
    expect(await count({}, [ask, ask, 'end'], merging)).toBe(2);
  });

  it('asks again where the message, the files, the artifacts or the model differ', async () => {
    const save = (content: string, name = 'a') => ({
      calls: [{ tool: 'save_artifact', arguments: { name, content } }],
    });
    const ask = (args: Record<string, unknown> = {}) => ({ calls: [kid(args)] });
    const count = async (lead: TestScript, options: DelegationOptions = {}, artifacts?: Artifacts): Promise<number> => {
      const parsed = graphOf('lead > kid', {
        settings: { ...edges({ cache: true, ...options }), runtime_tools: { artifacts: true } },
      });
      const model = scriptedModel({ lead, kid: 'kid says' });
      const folder = folderOf({ 'a.txt': 'a', 'b.txt': 'b' });
      await runGraph({ parsed, model, folder, ...(artifacts && { artifacts }) });
      return model.requests.filter(({ agentName }) => agentName === 'kid').length;
    };
    const files = { attachments: { max: 1 } };
    expect(await count([ask({ text: 'x' }), ask({ text: 'x' }), ask({ text: 'y' }), 'end'])).toBe(2);
    const attached = (...names: string[]) => ask({ text: 'x', attachments: names });
    expect(await count([attached('a.txt'), attached('a.txt'), attached('b.txt'), attached(), 'end'], files)).toBe(3);
    expect(await count([save('1'), ask(), ask(), 'end'])).toBe(1);
    expect(await count([save('1'), ask(), save('2'), ask(), save('1', 'b'), ask(), 'end'])).toBe(3);
    expect(await count([ask(), save('1', 'user:u'), ask(), ask(), 'end'])).toBe(2);
    // A child with a space of its own sees none of them.
    expect(await count([ask(), save('2'), ask(), 'end'], { artifacts: { forward: false } })).toBe(1);

    // Another run saves to the store of the project meanwhile; a store that is away may have changed.
    let version = 0;
    const entry = () => ({ name: 'u', version: ++version, mimeType: 'text/plain', bytes: 1 });
    const shared = { save: async () => 1, load: async () => undefined, list: async () => [entry()] };
    expect(await count([ask(), ask(), 'end'], {}, shared)).toBe(2);
    const away = { ...shared, list: () => Promise.reject(new Error('away')) };
    expect(await count([ask(), ask(), 'end'], {}, away)).toBe(2);

    // The same parent on two models: its child runs on its caller's.
    const parsed = graphOf('lead > p, q; q > p; p > kid', {
      settings: { delegations: { p: { kid: { cache: true } } } },
      config: { defaultModel: undefined },
      cards: { lead: { model: 'one' }, q: { model: 'two' } },
    });
    const p = { tool: 'agent__p', arguments: { text: 'x' } };
    const q = { tool: 'agent__q', arguments: { text: 'x' } };
    const scripts = { lead: [{ calls: [p] }, { calls: [q] }, { calls: [p] }, 'end'], q: [{ calls: [p] }, 'q'] };
    const model = scriptedModel({ ...scripts, p: [ask(), 'p'], kid: 'kid says' });
    await runGraph({ parsed, model });
    const asked = model.requests.filter(({ agentName }) => agentName === 'kid');
    expect(asked.map(({ model: name }) => name)).toEqual(['one', 'two']);
  });

  const cached = edges({ cache: true });
  const counting = (): TestScript => {
    let calls = 0;
    return () => ({ text: `answer ${++calls}`, delayMs: 10 });
  };

  it('an equal call runs once in a run, whatever the order of its arguments', async () => {
    const run = await runCalls('lead > kid', [], {
      scripts: {
        kid: counting(),
        lead: [{ calls: [kid({ a: 1, b: 2 })] }, { calls: [kid({ b: 2, a: 1 }), kid({ a: 2 })] }, 'end'],
      },
      settings: cached,
    });
    expect(texts(run)).toEqual(['answer 1', 'answer 1', 'answer 2']);
    expect(run.sink.of('tool.ended').map((event) => event.cached)).toEqual([undefined, true, undefined]);
    expect(run.sink.of('instance.ended').flatMap(({ path, cached: mark }) => (mark ? [path] : []))).toEqual([
      'lead/kid[2]',
    ]);
    expect(run.sink.of('instance.started').map(({ path }) => path)).toEqual(['lead', 'lead/kid[1]', 'lead/kid[3]']);
  });

  it('equal calls of one batch share one run', async () => {
    const run = await runCalls('lead > kid', [kid(), kid(), kid()], { scripts: { kid: counting() }, settings: cached });
    expect(texts(run)).toEqual(['answer 1', 'answer 1', 'answer 1']);
    expect(run.model.requests.filter(({ agentName }) => agentName === 'kid')).toHaveLength(1);
  });

  describe('where a hook brings the second of two equal calls to the child first', () => {
    const afterHooks = async (script: TestScript) => {
      const clock = fakeClock();
      let calls = 0;
      const slowFirst: FakeHook = {
        around: async (_context, args, next, { signal }) => {
          calls += 1;
          await clock.sleep(calls === 1 ? 5 : 1, signal);
          return next(args);
        },
      };
      const parsed = graphOf('lead > kid', {
        cards: { lead: chainOf('slowFirst') },
        settings: { ...edges({ cache: true }), runtime_tools: { state: true } },
      });
      const model = scriptedModel({ lead: [{ calls: [kid(), kid()] }, 'end'], kid: script }, clock);
      const run = await runGraph({ parsed, model, clock, hooks: fakeHooks({ slowFirst }) });
      const started = run.sink.of('instance.started').flatMap(({ path }) => (path === 'lead' ? [] : [path]));
      const results = run.sink
        .of('tool.ended')
        .flatMap((event) => (event.path === 'lead' ? [textOf(event.result.content)] : []));
      return { ...run, started, results };
    };

    it('the first one waits for it and shares its answer', async () => {
      const run = await afterHooks(counting());
      expect(run.results).toEqual(['answer 1', 'answer 1']);
      expect(run.started).toEqual(['lead/kid[2]']);
    });

    it('the first one runs itself if that one failed', async () => {
      let calls = 0;
      const run = await afterHooks(() => (++calls === 1 ? { delayMs: 10, ...down } : { text: 'up', delayMs: 10 }));
      expect(run.results).toEqual(['Error: The model is down.', 'up']);
    });

    it('the first one runs itself if that one waits to commit its state, so that none waits for the other', async () => {
      const write: TestScript = [
        { calls: [{ tool: 'set_state', arguments: { key: 'k', value: 1 } }], delayMs: 10 },
        'written',
      ];
      const run = await afterHooks(write);
      expect(run.outcome.status).toBe('completed');
      expect(run.results).toEqual(['written', 'written']);
      expect(run.started).toEqual(['lead/kid[2]', 'lead/kid[1]']);
    });
  });

  it('a failure is not shared: the next call runs itself', async () => {
    let calls = 0;
    const run = await runCalls('lead > kid', [kid(), kid(), kid()], {
      scripts: { kid: () => (++calls === 1 ? { error: { code: 'model_down', message: 'Down.' } } : `answer ${calls}`) },
      settings: cached,
    });
    expect(texts(run)).toEqual(['Error: Down.', 'answer 2', 'answer 2']);
    expect(calls).toBe(2);
  });

  it('an answer whose writes were refused is not shared, also after a crash', async () => {
    const writer: TestScript = [{ calls: [{ tool: 'set_state', arguments: { key: 'k', value: 1 } }] }, 'written'];
    const options = {
      scripts: { kid: writer },
      settings: { ...edges({ cache: true, state: { write_keys: ['other'] } }), runtime_tools: { state: true } },
    };
    const run = await runCalls('lead > kid', [kid(), kid()], options);
    const refused = "Error: Agent 'kid' may not write the state key 'k'.";
    expect(texts(run)).toEqual([refused, refused]);

    const first = run.log.findIndex((event) => event.kind === 'instance.ended' && event.path === 'lead/kid[1]');
    const again = await runGraph({
      parsed: graphOf('lead > kid', { settings: options.settings }),
      model: scriptedModel({ lead: [{ calls: [kid(), kid()] }, 'end'], kid: writer }),
      log: run.log.slice(0, first + 1),
    });
    expect(
      again.sink.of('tool.ended').flatMap(({ path, result }) => (path === 'lead' ? [result.isError] : [])),
    ).toEqual([true, true]);
  });

  it('is off unless asked for, and does not serve another delegation', async () => {
    const off = await runCalls('lead > kid', [kid(), kid()], { scripts: { kid: counting() } });
    expect(texts(off)).toEqual(['answer 1', 'answer 2']);
    const other = await runCalls('lead > kid, pal; pal > kid', [kid(), pal], {
      scripts: { kid: counting(), pal: [{ calls: [kid()] }, 'p'] },
      settings: { delegations: { lead: { kid: { cache: true } }, pal: { kid: { cache: true } } } },
    });
    expect(other.model.requests.filter(({ agentName }) => agentName === 'kid')).toHaveLength(2);
  });
});
