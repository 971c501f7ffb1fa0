import { describe, expect, it } from 'vitest';
import { programOf, resultOf } from '@/lib/testing/agent-run';
import { checkLog } from '@/lib/testing/check-log';
import type { TestScript } from '@/lib/testing/scripted-model';
import { agent, send } from '@/lib/testing/stints-of';
import { kidWith, lead, lookup, stopping, textsOf } from '@/lib/testing/suspending-kid';
import {
  answeredWith,
  extractSessionId,
  getSubAgentGenerateReason,
  isSubAgentResult,
  pendingCallsOf,
} from './sub-agent-result';

describe('a suspended delegation', () => {
  it.each([
    ['TOOL_SUSPENDED', kidWith(lookup('x')), {}],
    ['REASONING_STOP_REQUESTED', kidWith({ tool: 'work' }), { kid: { after_llm_call: stopping() } }],
    ['ACTING_STOP_REQUESTED', kidWith({ tool: 'work' }), { kid: { after_tool_call: stopping() } }],
    ['APPROVAL_NEEDED', kidWith(send('Ann')), {}],
  ] as const)('%s, with session, text, and the id and name of the call', async (reason, kid, hooks) => {
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
  });

  it('two inner calls appear in their order, with what they would run with', async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) } });
    const { results } = await program.call();
    expect(pendingCallsOf(resultOf(results, 'agent__kid'))).toMatchObject([
      { name: 'box__send', path: 'lead/kid[1]', kind: 'approval', input: { to: 'Ann' } },
      { name: 'box__send', path: 'lead/kid[1]', kind: 'approval', input: { to: 'Ben' } },
    ]);
  });

  it('finished siblings are kept and not repeated', async () => {
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

  it('three children suspended at once for three reasons are found by tool name, and all go on together', async () => {
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

  it('a child that does not suspend ends normally; a pause without calls suspends and goes on', async () => {
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
    'a child that asks suspends the run only if both are on: tool %s, parent %s',
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

  it('each delegation on the way to the root must hand on', async () => {
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

describe('cycles, depth and restarts', () => {
  it('suspends three times with only call(), in the same session', async () => {
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

  it('without a session the id is that of the delegation, and stays the same', async () => {
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

  it('a grandchild’s question climbs three levels, and the answer finds its way back', async () => {
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

  it('a process that dies anywhere in a call loses no result and no reason', async () => {
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

  it('a failure while a run goes on is reported, and the call can be made again', async () => {
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

  it('several children that end at once store each event once, one batch at a time', async () => {
    const stored: number[] = [];
    let writers = 0;
    const program = programOf({
      scripts: { lead: [{ calls: Array.from({ length: 6 }, () => agent('kid')) }, 'over'], kid: kidWith(send('Ann')) },
      async store(events) {
        writers += 1;
        expect(writers).toBe(1);
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        stored.push(...events.map(({ seq }) => seq));
        writers -= 1;
      },
    });
    await program.call();
    expect(await program.call()).toMatchObject({ status: 'completed', text: 'over' });
    expect(stored).toEqual(program.run.log.slice(0, stored.length).map(({ seq }) => seq));
    expect(program.sent).toHaveLength(6);
  });

  it('two calls at once are refused', async () => {
    const program = programOf({ scripts: { lead, kid: 'done' } });
    const first = program.call();
    await expect(program.run.call()).rejects.toMatchObject({ code: 'conflict' });
    expect((await first).status).toBe('completed');
  });
});
