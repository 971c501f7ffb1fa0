import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import { programOf, resultOf, whatSchema } from '@/lib/testing/agent-run';
import { send } from '@/lib/testing/stints-of';
import { kidWith, lead, lookup, stopping, textsOf } from '@/lib/testing/suspending-kid';
import { answeredWith, declined, isSubAgentResult, pendingCallsOf } from './sub-agent-result';

const problemOf = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : error;
  }
  return undefined;
};

describe('what a program decides', () => {
  it('call() alone confirms, and the child runs its pending calls', async () => {
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
  ] as const)('a declined call of %s never runs; its text defaults to "Operation cancelled"', async (_why, hooks) => {
    const program = programOf({ scripts: { lead, kid: kidWith(send('Ann'), send('Ben')) }, hooks });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    program.run.submitSubAgentResults(
      kid.id,
      pendingCallsOf(kid).map((call) => declined(call)),
    );
    expect((await program.call()).status).toBe('completed');
    expect(program.sent).toEqual([]);
    const read = program.asked().at(-2)?.messages.at(-1);
    expect(read?.role === 'tool' && read.results.map(({ result }) => [result.isError, JSON.stringify(result)])).toEqual(
      [
        [true, expect.stringContaining('Operation cancelled')],
        [true, expect.stringContaining('Operation cancelled')],
      ],
    );
  });

  it('the submitted content is the result, and the answer has the child’s second message', async () => {
    const program = programOf({ scripts: { lead, kid: kidWith(lookup('x')) } });
    const kid = resultOf((await program.call()).results, 'agent__kid');
    const [call] = pendingCallsOf(kid);
    if (call) program.run.submitSubAgentResult(kid.id, answeredWith(call, 'forty-two'));
    expect((await program.call()).status).toBe('completed');
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['forty-two']);
    expect(textsOf(program.run.log, 'lead')[0]).toContain('second message');
  });

  it('a hook’s calls get their results, and the others run', async () => {
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
  ] as const)('a call of %s without a decision stays pending, also over a restart', async (why, hooks) => {
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
  });

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

  it('an unknown delegation, null and an empty list are refused', async () => {
    const { program, kid, ann } = await suspendedKid();
    const { run } = program;
    const nothing = JSON.parse('null');
    expect(problemOf(() => run.submitSubAgentResult('nobody', declined(ann)))).toBe(
      "not_found: No pending result for tool: nobody. These wait: 'lead#m1.1'.",
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

  it('nothing can be submitted if enable_sub_agent_hitl is off at the root agent', async () => {
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

  it('an inner call that is unknown, or has a result, is refused, and then nothing is taken', async () => {
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

  it('a result that does not fit the form of its question changes nothing', async () => {
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
      /^bad_request: The result of '.*' cannot be used. It does not fit: /,
    );
    program.run.submitSubAgentResult(kid.id, answeredWith(call, '{"room":7}'));
    expect((await program.call()).status).toBe('completed');
    expect(textsOf(program.run.log, 'lead/kid[1]')).toEqual(['{"room":7}']);
  });
});
