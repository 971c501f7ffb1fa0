import { describe, expect, it } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { ItemEnd, PersonAnswer } from '@/lib/base/pending';
import type { Settings } from '@/lib/cards/settings';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import { type FakeHook, fakeHooks, hookRef } from '@/lib/testing/fake-hooks';
import { fakePeople } from '@/lib/testing/fake-people';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { ended } from '@/lib/testing/people-desk';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';
import { agent, send, stintsOf } from '@/lib/testing/stints-of';
import { takenLog } from '@/lib/testing/taken-log';

type Phase = 'after_llm_call' | 'after_tool_call';

const stopping = (says = ''): FakeHook => ({ phase: () => ({ stop: says }) });
/** Stops where the message has calls, or results. */
const stoppingCalls: FakeHook = {
  phase({ message }): JsonObject {
    const calls = (message as { toolCalls?: unknown[] }).toolCalls ?? [];
    return calls.length > 0 ? { stop: 'Is this right?' } : {};
  },
};

const graph = (phase: Phase, settings: Partial<Settings> = {}, text = 'lead', agentName = 'lead') =>
  graphOf(text, {
    cards: { [agentName]: { toolHooks: { form: 'phases', phases: { [phase]: hookRef('guard') } } } },
    settings,
  });

const twoSends: TestScript = [{ text: 'I send two.', calls: [send('Ann'), send('Ben')] }, 'sent'];

async function answered(phase: Phase, hook: FakeHook, answer: Partial<PersonAnswer>, script: TestScript = twoSends) {
  const run = stintsOf(graph(phase), { lead: script }, 0, { guard: hook });
  const first = await run.stint();
  const [question] = run.open();
  if (question) run.desk.end(question.item, ended(answer));
  const done = await run.stint();
  if (done.outcome.status !== 'suspended') checkLog(done.log);
  return { run, first, done, question };
}

const resultsOf = (log: readonly RunEvent[]) =>
  log.flatMap((event) => (event.kind === 'tool.ended' ? [event.result] : []));
const textsOf = (log: readonly RunEvent[]) =>
  resultsOf(log).map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join(''));

describe('a hook that stops after reasoning', () => {
  it('suspends the run and asks with its name, its words and the calls', async () => {
    const { first, question, run } = await answered('after_llm_call', stoppingCalls, {});
    expect(first.outcome.status).toBe('suspended');
    expect(question).toMatchObject({
      what: 'hook',
      step: 'lead#h1',
      sentence: 'lead stops before it calls box__send, box__send: Is this right?',
      why: { rule: 'hooks.py:guard', level: 'agent' },
      said: 'I send two.',
      arguments: {
        calls: [
          { id: 'lead#m1.1', tool: 'box__send', arguments: { to: 'Ann' } },
          { id: 'lead#m1.2', tool: 'box__send', arguments: { to: 'Ben' } },
        ],
      },
    });
    expect(run.sent).toEqual(['Ann', 'Ben']);
  });

  it('approve: the calls run, and the hook does not run again', async () => {
    const { done, run } = await answered('after_llm_call', stoppingCalls, {});
    expect(done.outcome).toMatchObject({ status: 'completed', answer: 'sent' });
    expect(run.sent).toEqual(['Ann', 'Ben']);
    expect(done.log.filter(({ kind }) => kind === 'person.asked')).toHaveLength(1);
    expect(done.log.filter((event) => event.kind === 'hook.started' && event.step === 'lead#h1')).toHaveLength(1);
  });

  it('answer: its text is the result of a call, which does not run; a call without a text runs', async () => {
    const { run, done } = await answered('after_llm_call', stoppingCalls, {
      decision: 'answer',
      content: { 'lead#m1.1': 'Ann has it already' },
    });
    expect(run.sent).toEqual(['Ben']);
    expect(textsOf(done.log)).toEqual(['Ann has it already', 'sent to Ben']);
  });

  it('deny: the turn ends with the note, and no call runs', async () => {
    const { run, done } = await answered('after_llm_call', stoppingCalls, {
      decision: 'deny',
      note: 'Not on Sundays.',
    });
    const message = "Hook 'hooks.py:guard' stopped agent 'lead', and a person ended its turn. Reason: Not on Sundays.";
    expect(done.outcome).toMatchObject({ status: 'failed', error: { code: 'approval_denied', message } });
    expect(run.sent).toEqual([]);
    expect(resultsOf(done.log).map(({ errorCode }) => errorCode)).toEqual(['APPROVAL_DENIED', 'APPROVAL_DENIED']);
  });

  it('a pause without calls suspends too; an answer replaces the text', async () => {
    const approved = await answered('after_llm_call', stopping(), {}, ['my draft']);
    expect(approved.first.outcome.status).toBe('suspended');
    expect(approved.question).toMatchObject({ sentence: 'lead stops before it answers' });
    expect(approved.done.outcome.answer).toBe('my draft');
    const replaced = await answered(
      'after_llm_call',
      stopping(),
      { decision: 'answer', content: { answer: 'Ours.' } },
      ['my draft'],
    );
    expect(replaced.done.outcome.answer).toBe('Ours.');
    const quiet = await answered('after_llm_call', stoppingCalls, {}, ['my draft']);
    expect(quiet.first.outcome).toMatchObject({ status: 'completed', answer: 'my draft' });
  });
});

describe('a hook that stops after acting', () => {
  it('asks when the tools have run; approve goes on', async () => {
    const { run, first, done, question } = await answered('after_tool_call', stopping('Two mails went out.'), {});
    expect(first.outcome.status).toBe('suspended');
    expect(question).toMatchObject({
      what: 'hook',
      sentence: 'lead stops after 2 calls: Two mails went out.',
      arguments: { results: [{ result: 'sent to Ann' }, { result: 'sent to Ben' }] },
    });
    expect(run.sent).toEqual(['Ann', 'Ben']);
    expect(done.outcome).toMatchObject({ status: 'completed', answer: 'sent' });
  });

  it('answer: the model reads the text next', async () => {
    const { done, run } = await answered('after_tool_call', stopping(), {
      decision: 'answer',
      content: { answer: 'Tell me who got it.' },
    });
    expect(done.outcome.status).toBe('completed');
    expect(run.asked.at(-1)?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Tell me who got it.' }],
    });
  });

  it('deny: the turn ends; what ran stays', async () => {
    const { done, run } = await answered('after_tool_call', stopping(), { decision: 'deny' });
    expect(done.outcome).toMatchObject({ status: 'failed', error: { code: 'approval_denied' } });
    expect(run.sent).toEqual(['Ann', 'Ben']);
  });

  it('a child that is denied gives its parent an error with what it had said', async () => {
    const run = stintsOf(
      graph('after_tool_call', {}, 'lead > kid', 'kid'),
      { lead: [{ calls: [agent('kid')] }, 'over'], kid: twoSends },
      0,
      { guard: stopping() },
    );
    await run.stint();
    const [question] = run.open();
    expect(question?.path).toBe('lead/kid[1]');
    if (question) run.desk.end(question.item, ended({ decision: 'deny', note: 'Enough.' }));
    const done = await run.stint();
    expect(done.outcome).toMatchObject({ status: 'completed', answer: 'over' });
    expect(textsOf(done.log).at(-1)).toMatch(/^I send two\.Error: .*stopped.*Reason: Enough\.$/);
  });
});

describe('a stop in the log', () => {
  it('is asked once over all executions, wherever a worker dies', async () => {
    for (const phase of ['after_llm_call', 'after_tool_call'] as const) {
      const straight = await answered(phase, stoppingOnce(phase), {});
      const whole = straight.done.log;
      for (let length = 1; length < whole.length; length += 1) {
        const run = stintsOf(graph(phase), { lead: twoSends }, 0, { guard: stoppingOnce(phase) });
        await run.stint();
        const [question] = run.open();
        if (question) run.desk.end(question.item, ended());
        await run.stint();
        run.cut(length);
        const done = await run.finish();
        checkLog(done.log);
        expect(done.outcome).toMatchObject({ status: 'completed', answer: 'sent' });
        expect(done.log.filter(({ kind }) => kind === 'person.asked')).toHaveLength(1);
        expect(done.log.filter(({ kind }) => kind === 'person.answered')).toHaveLength(1);
      }
    }
  });

  it('a run that is stopped while it waits ends as cancelled, and no call runs', async () => {
    const run = stintsOf(graph('after_llm_call'), { lead: twoSends }, 0, { guard: stoppingCalls });
    await run.stint();
    const done = await run.stint({ signal: AbortSignal.abort() });
    expect(done.outcome.status).toBe('cancelled');
    expect(run.sent).toEqual([]);
    checkLog(done.log);
  });

  it('a stopped run closes children that began after an approved stop', async () => {
    const scripts = { lead: [{ calls: [agent('kid')] }, 'over'], kid: [{ calls: [send('Ann')] }, 'done'] } as const;
    const settings = { approvals: { rules: [{ tools: ['box__*'], effect: 'ask' as const }] } };
    const run = stintsOf(graph('after_llm_call', settings, 'lead > kid'), scripts, 0, { guard: stoppingCalls });
    await run.stint();
    run.answerAll();
    expect((await run.stint()).outcome.status).toBe('suspended');
    const done = await run.stint({ signal: AbortSignal.abort() });
    expect(done.outcome.status).toBe('cancelled');
    checkLog(done.log);
  });
});

describe('a run that begins with the record of another one', () => {
  const begun = async (phase: Phase, kind: RunEvent['kind']) => {
    const { done } = await answered(phase, stoppingOnce(phase), {});
    const at =
      done.log.findIndex((event) => event.kind === kind && 'step' in event && /#[tm]2$/.test(String(event.step))) + 1;
    expect(at).toBeGreaterThan(0);
    const to = { runId: brandAs<RunId>('again'), correlationId: brandAs<CorrelationId>('c0') };
    const people = fakePeople(() => ({}), [], takenLog(done.log, at, to));
    const again = await runGraph({
      parsed: graph(phase),
      model: scriptedModel({ lead: twoSends }),
      tools: { mcp: fakeTools({ box__send: () => 'again' }) },
      hooks: fakeHooks({ guard: stoppingOnce(phase) }),
      people,
      request: to,
      log: takenLog(done.log, at, to),
      onSink: (sink) => people.watch(sink),
    });
    return { again, asked: people.asked };
  };

  it('is not asked about a stop whose calls or whose next model call are in the record', async () => {
    const { again, asked } = await begun('after_llm_call', 'tool.ended');
    expect(again.outcome).toMatchObject({ status: 'completed', answer: 'sent' });
    expect(asked).toEqual([]);
  });

  it('is asked again about a stop after which nothing is in the record', async () => {
    const { again, asked } = await begun('after_tool_call', 'model.started');
    expect(again.outcome.status).toBe('completed');
    expect(asked.map(({ what }) => what)).toEqual(['hook']);
  });
});

describe('who decides about a stop', () => {
  const alone = (settings: Partial<Settings>) =>
    runGraph({
      parsed: graph('after_llm_call', settings),
      model: scriptedModel({ lead: twoSends }),
      hooks: {
        load: () => Promise.resolve([]),
        around: () => Promise.resolve({ ok: false, message: 'none' }),
        phase: (_hook, _phase, context) =>
          Promise.resolve({ ok: true, changes: stoppingCalls.phase?.(context, '', control) as JsonObject }),
      },
    });
  const control = { signal: new AbortController().signal, log() {} };

  it('approvals.mode approves or denies it, and the log says that a policy did', async () => {
    const yes = await alone({ approvals: { mode: 'approve_all' } });
    expect(yes.outcome.status).toBe('completed');
    const no = await alone({ approvals: { mode: 'reject_all' } });
    expect(no.outcome.error?.message).toBe(
      "Hook 'hooks.py:guard' stopped agent 'lead', and nothing more ran. 'approvals.mode' is reject_all.",
    );
    const ends = no.log.flatMap((event): ItemEnd[] => (event.kind === 'person.answered' ? [event as ItemEnd] : []));
    expect(ends).toMatchObject([{ outcome: 'answered', answer: { by: 'policy' } }]);
  });

  it('where nobody can be asked, the turn ends', async () => {
    const done = await alone({});
    expect(done.outcome).toMatchObject({ status: 'failed', error: { code: 'approval_denied' } });
    expect(done.outcome.error?.message).toContain('Nobody can be asked in this run.');
  });
});

/** Stops at the first calls, or at their results. */
function stoppingOnce(phase: Phase): FakeHook {
  return phase === 'after_llm_call' ? stoppingCalls : stopping();
}
