import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import type { Json, JsonObject } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { ordinalOf } from '@/lib/runtime/record/step-key';
import { programOf, resultOf, whatSchema } from '@/lib/testing/agent-run';
import { checkLog } from '@/lib/testing/check-log';
import type { FakeHook } from '@/lib/testing/fake-hooks';
import type { TestCall, TestScript } from '@/lib/testing/scripted-model';
import { agent, send } from '@/lib/testing/stints-of';
import {
  answeredWith,
  declined,
  extractSessionId,
  getSubAgentGenerateReason,
  isSubAgentResult,
  pendingCallsOf,
} from './sub-agent-result';

const lookup = (what: string): TestCall => ({ tool: 'lookup', arguments: { what } });
const lead: TestScript = [{ calls: [agent('kid')] }, 'over'];
/** Says what its tools gave. */
const kidWith = (...calls: readonly TestCall[]): TestScript => [
  { text: 'I need this.', calls },
  { text: 'second message' },
];
/** Stops before calls, or after them, the first `times` times. */
function stopping(times = 1): FakeHook {
  let left = times;
  return {
    phase({ message }): JsonObject {
      const { toolCalls, results } = message as { toolCalls?: Json[]; results?: Json[] };
      if ((toolCalls ?? results ?? []).length === 0 || left === 0) return {};
      left -= 1;
      return { stop: '' };
    },
  };
}

/** The texts of an instance's results, in the order of its calls. */
const textsOf = (log: readonly RunEvent[], path: string) =>
  log
    .flatMap((event) => (event.kind === 'tool.ended' && event.path === path ? [event] : []))
    .sort((a, b) => (ordinalOf(a.step) ?? 0) - (ordinalOf(b.step) ?? 0))
    .map(({ result }) => result.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));

const problemOf = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : error;
  }
  return undefined;
};

describe('R-91, R-92: a suspended delegation', () => {
  it.each([
    ['TOOL_SUSPENDED', kidWith(lookup('x')), {}],
    ['REASONING_STOP_REQUESTED', kidWith({ tool: 'work' }), { kid: { after_llm_call: stopping() } }],
    ['ACTING_STOP_REQUESTED', kidWith({ tool: 'work' }), { kid: { after_tool_call: stopping() } }],
    ['APPROVAL_NEEDED', kidWith(send('Ann')), {}],
  ] as const)(
    'R-91, R-92, AS-13, AS-19: %s, with session, text, and the id and name of the call',
    async (reason, kid, hooks) => {
      const program = programOf({ scripts: { lead, kid }, hooks });
      const reply = await program.call();
      expect(reply).toMatchObject({ status: 'suspended', reason: 'TOOL_SUSPENDED', text: '' });
      const [result, ...more] = reply.results;
      expect(more).toEqual([]);
      expect(result).toMatchObject({
        id: 'lead#m1.1',
        name: 'agent__kid',
        content: [
          { type: 'text', text: 'I need this.' },
          ...(reason === 'ACTING_STOP_REQUESTED' ? [] : [{ type: 'tool_use' }]),
        ],
      });
      expect(isSubAgentResult(result)).toBe(true);
      expect(extractSessionId(result)).toMatch(/./);
      expect(getSubAgentGenerateReason(result)).toBe(reason);
    },
  );

  it('R-92, AS-17: two inner calls appear in their order, with what they would run with', async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) } });
    const { results } = await program.call();
    expect(pendingCallsOf(resultOf(results, 'agent__kid'))).toMatchObject([
      { name: 'box__send', path: 'lead/kid[1]', kind: 'approval', input: { to: 'Ann' } },
      { name: 'box__send', path: 'lead/kid[1]', kind: 'approval', input: { to: 'Ben' } },
    ]);
  });

  it('R-92, E-03: finished siblings are kept and not repeated', async () => {
    const program = programOf({
      graph: 'lead > kid, quick',
      scripts: {
        lead: [{ calls: [agent('kid'), agent('quick')] }, 'over'],
        kid: kidWith(send('Ann')),
        quick: 'quick is done',
      },
    });
    const first = await program.call();
    expect(first.results.map(({ name }) => name)).toEqual(['agent__kid']);
    expect((await program.call()).status).toBe('completed');
    expect(program.asked().filter(({ agentName }) => agentName === 'quick')).toHaveLength(1);
    expect(textsOf(program.run.log, 'lead')[1]).toContain('quick is done');
  });

  it('AS-23: three children suspended at once for three reasons are found by tool name, and all go on together', async () => {
    const program = programOf({
      graph: 'lead > kid, planner, doer',
      scripts: {
        lead: [{ calls: [agent('kid'), agent('planner'), agent('doer')] }, 'over'],
        kid: kidWith(lookup('x')),
        planner: kidWith({ tool: 'work' }),
        doer: kidWith({ tool: 'work' }),
      },
      hooks: { planner: { after_llm_call: stopping() }, doer: { after_tool_call: stopping() } },
    });
    const { results } = await program.call();
    expect(results.map((one) => [one.name, getSubAgentGenerateReason(one)])).toEqual(
      expect.arrayContaining([
        ['agent__kid', 'TOOL_SUSPENDED'],
        ['agent__planner', 'REASONING_STOP_REQUESTED'],
        ['agent__doer', 'ACTING_STOP_REQUESTED'],
      ]),
    );
    expect(new Set(results.map(extractSessionId)).size).toBe(3);
    const kid = resultOf(results, 'agent__kid');
    const [call] = pendingCallsOf(kid);
    if (call) program.run.submitSubAgentResult(kid.id, answeredWith(call, 'the answer'));
    expect(await program.call()).toMatchObject({ status: 'completed', text: 'over', results: [] });
    checkLog(program.run.log);
  });

  it('AS-25: a child that does not suspend ends normally; a pause without calls suspends and goes on', async () => {
    const quiet = programOf({ scripts: { lead, kid: 'done' } });
    expect(await quiet.call()).toMatchObject({ status: 'completed', reason: 'MODEL_STOP', text: 'over' });
    const pausing = programOf({
      scripts: { lead, kid: 'my draft' },
      hooks: { kid: { after_llm_call: { phase: () => ({ stop: 'Read it.' }) } } },
    });
    const { results } = await pausing.call();
    expect(pendingCallsOf(resultOf(results, 'agent__kid'))).toEqual([]);
    expect(getSubAgentGenerateReason(results[0])).toBe('REASONING_STOP_REQUESTED');
    expect((await pausing.call()).status).toBe('completed');
  });
});

describe('both switches', () => {
  const off = { lead: { kid: { session: 'addressed' as const } } };
  const on = { lead: { kid: { session: 'addressed' as const, enable_hitl: true } } };

  it.each([
    ['on', 'on', on, { lead: true }, 'suspended'],
    ['off', 'on', off, { lead: true }, 'completed'],
    ['off', 'off', off, {}, 'completed'],
    ['on', 'off', on, {}, 'completed'],
  ] as const)(
    'R-90, E-02, AS-14, AS-24, C-12: tool %s, parent %s',
    async (_tool, _parent, delegations, parents, status) => {
      for (const [calls, hooks] of [
        [[send('Ann')], {}],
        [[lookup('x')], {}],
        [[{ tool: 'work' }], { kid: { after_llm_call: stopping() } }],
        [[{ tool: 'work' }], { kid: { after_tool_call: stopping() } }],
      ] as const) {
        const program = programOf({
          scripts: { lead, kid: kidWith(...calls) },
          settings: { delegations, enable_sub_agent_hitl: parents },
          hooks,
        });
        const reply = await program.call();
        expect(reply.status).toBe(status);
        expect(program.sent).toEqual([]);
        if (status === 'suspended') continue;
        // An ordinary result with its session, and the parent goes on to its end.
        expect(reply).toMatchObject({ text: 'over', results: [], error: undefined });
        expect(textsOf(program.run.log, 'lead')[0]).toMatch(/^session_id: \S+\n[\s\S]*(I need this\.|second message)/);
        expect(program.run.log.filter(({ kind }) => kind === 'person.asked')).toEqual([]);
        checkLog(program.run.log);
      }
    },
  );

  it('P-09: each delegation on the way to the root must hand on', async () => {
    const program = programOf({
      graph: 'lead > kid; kid > deep',
      scripts: { lead, kid: [{ calls: [agent('deep')] }, 'kid is done'], deep: kidWith(send('Ann')) },
      settings: { enable_sub_agent_hitl: { lead: true } },
    });
    expect(await program.call()).toMatchObject({ status: 'completed', text: 'over' });
    expect(program.sent).toEqual([]);
  });

  it('a stop that reaches nobody says which calls did not run', async () => {
    const program = programOf({
      scripts: { lead, kid: kidWith({ tool: 'work' }) },
      settings: { delegations: off },
      hooks: { kid: { after_llm_call: stopping() } },
    });
    await program.call();
    expect(textsOf(program.run.log, 'lead')[0]).toContain('nobody could be asked. These calls did not run: work.)');
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual([]);
  });
});

describe('R-94, R-97, C-13, P-12: what a program decides', () => {
  it('R-93, AS-16, AS-20: call() alone confirms, and the child runs its pending calls', async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) } });
    await program.call();
    expect(program.sent).toEqual([]);
    expect(await program.call()).toMatchObject({ status: 'completed', reason: 'MODEL_STOP', text: 'over' });
    expect(program.sent).toEqual(['Ann', 'Ben']);
    const stopped = programOf({
      scripts: { lead, kid: kidWith({ tool: 'work' }) },
      hooks: { kid: { after_tool_call: stopping() } },
    });
    await stopped.call();
    expect((await stopped.call()).status).toBe('completed');
  });

  it.each([
    ['consent', {}],
    ['a hook', { kid: { after_llm_call: stopping() } }],
  ] as const)(
    'R-94, E-08, AS-20: a declined call of %s never runs; its text defaults to "Operation cancelled"',
    async (_why, hooks) => {
      const program = programOf({ scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) }, hooks });
      const kid = resultOf((await program.call()).results, 'agent__kid');
      program.run.submitSubAgentResults(
        kid.id,
        pendingCallsOf(kid).map((call) => declined(call)),
      );
      expect((await program.call()).status).toBe('completed');
      expect(program.sent).toEqual([]);
      const read = program.asked().at(-2)?.messages.at(-1);
      expect(
        read?.role === 'tool' && read.results.map(({ result }) => [result.isError, JSON.stringify(result)]),
      ).toEqual([
        [true, expect.stringContaining('Operation cancelled')],
        [true, expect.stringContaining('Operation cancelled')],
      ]);
    },
  );

  it('R-95, AS-15: the submitted content is the result, and the answer has the child’s second message', async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(lookup('x')) } });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    const [call] = pendingCallsOf(kid);
    if (call) program.run.submitSubAgentResult(kid.id, answeredWith(call, 'forty-two'));
    expect((await program.call()).status).toBe('completed');
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['forty-two']);
    expect(textsOf(program.run.log, 'lead')[0]).toContain('second message');
  });

  it('R-95: a hook’s calls get their results, and the others run', async () => {
    const program = programOf({
      scripts: { lead, kid: kidWith(send('Ann'), lookup('x'), { tool: 'work' }) },
      hooks: { kid: { after_llm_call: stopping() } },
      settings: { approvals: {} },
    });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    const [first, second] = pendingCallsOf(kid);
    if (second) program.run.submitSubAgentResult(kid.id, answeredWith(second, 'found'));
    // The two calls without a result are confirmed by the call after the partial decision.
    expect(pendingCallsOf(resultOf((await program.call()).results, 'agent__kid')).map(({ name }) => name)).toEqual([
      'box__send',
      'work',
    ]);
    expect(first?.name).toBe('box__send');
    expect((await program.call()).status).toBe('completed');
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['sent to Ann', 'found', 'worked']);
  });

  it.each([
    ['consent', {}],
    ['a hook', { kid: { after_llm_call: stopping() } }],
  ] as const)(
    'R-97, C-13, E-07, P-12: a call of %s without a decision stays pending, also over a restart',
    async (why, hooks) => {
      const program = programOf({
        scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) },
        hooks,
        ...(why === 'a hook' && { settings: { approvals: {} } }),
      });
      const kid = resultOf((await program.call()).results, 'agent__kid');
      const [ann] = pendingCallsOf(kid);
      if (ann) program.run.submitSubAgentResult(kid.id, declined(ann, 'Not Ann.'));
      program.restart();
      const second = await program.call();
      expect(second.status).toBe('suspended');
      expect(program.sent).toEqual([]);
      expect(pendingCallsOf(resultOf(second.results, 'agent__kid')).map(({ input }) => input)).toEqual([{ to: 'Ben' }]);
      expect((await program.call()).status).toBe('completed');
      expect(program.sent).toEqual(['Ben']);
      expect(textsOf(program.run.log, 'lead/kid[1]')[0]).toContain('Not Ann.');
    },
  );

  it('questions that only an answer can end stay pending when they are confirmed', async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(lookup('x')) } });
    await program.call();
    expect((await program.call()).status).toBe('suspended');
    expect(program.run.suspended().map(({ name }) => name)).toEqual(['agent__kid']);
  });

  it('a call of the root itself is no sub-agent result, and is answered by its own id', async () => {
    const program = programOf({
      graph: 'lead',
      scripts: { lead: [{ calls: [lookup('x')] }, 'over'] },
      settings: { enable_sub_agent_hitl: {} },
    });
    const [result] = (await program.call()).results;
    expect(result?.name).toBe('lookup');
    expect(isSubAgentResult(result)).toBe(false);
    const [call] = result ? pendingCallsOf(result) : [];
    if (call) program.run.submitResult(answeredWith(call, 'here'));
    expect(await program.call()).toMatchObject({ status: 'completed', text: 'over' });
    expect(textsOf(program.run.log, 'lead')).toEqual(['here']);
  });
});

describe('what may be submitted', () => {
  const suspendedKid = async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) } });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    const [ann, ben] = pendingCallsOf(kid);
    if (!ann || !ben) throw new Error('Two calls wait.');
    return { program, kid, ann, ben };
  };

  it('R-96, AS-22: an unknown delegation, null and an empty list are refused', async () => {
    const { program, kid, ann } = await suspendedKid();
    const { run } = program;
    const nothing = JSON.parse('null');
    expect(problemOf(() => run.submitSubAgentResult('nobody', declined(ann)))).toBe(
      'not_found: No pending result for tool: nobody',
    );
    expect(problemOf(() => run.submitSubAgentResult(kid.id, nothing))).toBe(
      'bad_request: The result must not be null.',
    );
    expect(problemOf(() => run.submitSubAgentResults(kid.id, nothing))).toBe(
      'bad_request: The results must not be null.',
    );
    expect(problemOf(() => run.submitSubAgentResults(kid.id, [nothing]))).toBe(
      'bad_request: The results must not be null.',
    );
    expect(problemOf(() => run.submitSubAgentResults(kid.id, []))).toBe('bad_request: The results must not be empty.');
  });

  it('R-96: with HITL off at the root agent nothing can be submitted', async () => {
    const { ann } = await suspendedKid();
    const program = programOf({
      scripts: { lead, kid: kidWith(send('Ann')) },
      settings: { enable_sub_agent_hitl: {} },
    });
    await program.call();
    expect(program.run.isSubAgentHitlEnabled).toBe(false);
    expect(problemOf(() => program.run.submitSubAgentResult('lead#m1.1', declined(ann)))).toMatch(
      /^conflict: Sub-agent HITL is off/,
    );
  });

  it('R-96, E-05: an inner call that is unknown, or has a result, is refused, and then nothing is taken', async () => {
    const { program, kid, ann, ben } = await suspendedKid();
    const { run } = program;
    expect(problemOf(() => run.submitSubAgentResults(kid.id, [declined(ann), declined({ id: 'x' })]))).toBe(
      "bad_request: 'x' is no pending call of 'lead#m1.1'.",
    );
    expect(problemOf(() => run.submitSubAgentResults(kid.id, [declined(ann), declined(ann)]))).toBe(
      `bad_request: '${ann.id}' has a result already.`,
    );
    expect(run.saved()[kid.id]?.results).toEqual([]);
    run.submitSubAgentResult(kid.id, declined(ann));
    expect(problemOf(() => run.submitSubAgentResult(kid.id, answeredWith(ann, 'again')))).toBe(
      `bad_request: '${ann.id}' has a result already.`,
    );
    run.submitSubAgentResult(kid.id, declined(ben));
    expect(run.saved()[kid.id]?.results.map(({ id }) => id)).toEqual([ann.id, ben.id]);
  });

  it('E-06: a result that does not fit the form of its question changes nothing', async () => {
    const program = programOf({
      scripts: { lead, kid: kidWith(lookup('x')) },
      settings: {
        external_tools: {
          lookup: {
            description: 'Looks up.',
            agents: ['kid'],
            input_schema: whatSchema,
            result_schema: { type: 'object', properties: { room: { type: 'number' } }, required: ['room'] },
          },
        },
      },
    });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    const [call] = pendingCallsOf(kid);
    if (!call) throw new Error('A call waits.');
    expect(problemOf(() => program.run.submitSubAgentResult(kid.id, answeredWith(call, 'upstairs')))).toMatch(
      /^bad_request: .* does not fit/,
    );
    program.run.submitSubAgentResult(kid.id, answeredWith(call, '{"room":7}'));
    expect((await program.call()).status).toBe('completed');
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['{"room":7}']);
  });
});

describe('cycles, depth and restarts', () => {
  it('R-98, E-11, AS-18, AS-21: suspends three times with only call(), in the same session', async () => {
    const kid: TestScript = [{ calls: [send('a')] }, { calls: [send('b')] }, { calls: [send('c')] }, 'done'];
    const program = programOf({ scripts: { lead, kid } });
    const sessions: (string | undefined)[] = [];
    let reply = await program.call();
    while (reply.status === 'suspended') {
      sessions.push(extractSessionId(reply.results[0]));
      reply = await program.call();
    }
    expect(sessions).toHaveLength(3);
    expect(new Set(sessions).size).toBe(1);
    expect(sessions[0]).toMatch(/./);
    expect(program.sent).toEqual(['a', 'b', 'c']);
    expect(reply).toMatchObject({ status: 'completed', text: 'over' });
  });

  it('R-98: without a session the id is that of the delegation, and stays the same', async () => {
    const kid: TestScript = [{ calls: [send('a')] }, { calls: [send('b')] }, 'done'];
    const program = programOf({
      scripts: { lead, kid },
      settings: { delegations: { lead: { kid: { enable_hitl: true } } } },
    });
    const first = extractSessionId((await program.call()).results[0]);
    program.restart();
    expect(first).toBe('c1');
    expect(extractSessionId((await program.call()).results[0])).toBe(first);
  });

  it('R-98, E-10, P-23: a grandchild’s question climbs three levels, and the answer finds its way back', async () => {
    const program = programOf({
      graph: 'lead > kid; kid > deep; deep > deeper',
      scripts: {
        lead,
        kid: [{ calls: [agent('deep')] }, '{{kid}}'],
        deep: [{ calls: [agent('deeper'), lookup('d')] }, 'deep is done'],
        deeper: kidWith(send('Ann')),
      },
    });
    const { results } = await program.call();
    const kid = resultOf(results, 'agent__kid');
    expect(pendingCallsOf(kid).map(({ path, name }) => `${path} ${name}`)).toEqual([
      'lead/kid[1]/deep[1] lookup',
      'lead/kid[1]/deep[1]/deeper[1] box__send',
    ]);
    const [look] = pendingCallsOf(kid);
    program.restart();
    if (look) program.run.submitSubAgentResult(kid.id, answeredWith(look, 'deep answer'));
    const second = await program.call();
    expect(pendingCallsOf(resultOf(second.results, 'agent__kid')).map(({ name }) => name)).toEqual(['box__send']);
    expect((await program.call()).status).toBe('completed');
    expect(program.sent).toEqual(['Ann']);
    expect(textsOf(program.run.log, 'lead/kid[1]/deep[1]')[1]).toBe('deep answer');
  });

  it('R-99, P-10, P-11: a process that dies anywhere in a call loses no result and no reason', async () => {
    const scripts = { lead, kid: kidWith(send('Ann'), lookup('x')) };
    const whole = programOf({ scripts });
    const decide = (program: ReturnType<typeof programOf>) => {
      for (const result of program.run.suspended()) {
        const look = pendingCallsOf(result).find(({ name }) => name === 'lookup');
        if (look) program.run.submitSubAgentResult(result.id, answeredWith(look, 'kept'));
      }
    };
    await whole.call();
    decide(whole);
    await whole.call();
    await whole.call();
    const { length } = whole.run.log;
    for (let cut = 1; cut <= length; cut += 1) {
      const program = programOf({ scripts });
      await program.call();
      decide(program);
      const saved = program.run.log.length;
      await program.call();
      // The results that were stored before the call are there as long as the log does not have their answers.
      program.restart(program.run.log.slice(0, Math.max(saved, Math.min(cut, program.run.log.length))));
      for (const result of program.run.suspended()) expect(getSubAgentGenerateReason(result)).not.toBe('MODEL_STOP');
      decide(program);
      let reply = await program.call();
      for (let n = 0; reply.status === 'suspended' && n < 3; n += 1) {
        decide(program);
        reply = await program.call();
      }
      expect(reply).toMatchObject({ status: 'completed', text: 'over' });
      expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['sent to Ann', 'kept']);
      checkLog(program.run.log);
    }
  });

  it('AS-22: a failure while it goes on is reported, and the call can be made again', async () => {
    let fails = false;
    const program = programOf({
      scripts: { lead, kid: kidWith(lookup('x')) },
      store: () => (fails ? Promise.reject(new Error('disk full')) : Promise.resolve()),
    });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    const [call] = pendingCallsOf(kid);
    if (call) program.run.submitSubAgentResult(kid.id, answeredWith(call, 'kept'));
    fails = true;
    await expect(program.call()).rejects.toThrow('disk full');
    fails = false;
    expect(await program.call()).toMatchObject({ status: 'completed', text: 'over' });
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['kept']);
  });

  it('two calls at once are refused', async () => {
    const program = programOf({ scripts: { lead, kid: 'done' } });
    const first = program.call();
    await expect(program.run.call()).rejects.toMatchObject({ code: 'conflict' });
    expect((await first).status).toBe('completed');
  });
});
