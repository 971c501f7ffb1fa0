import { describe, expect, it } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { Grant } from '@/lib/base/pending';
import type { EventOf } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { checkLog } from '@/lib/testing/check-log';
import { graphOf } from '@/lib/testing/graph-of';
import { ended } from '@/lib/testing/people-desk';
import { agent, send, stintsOf, toolsAsk, work } from '@/lib/testing/stints-of';

const solo = graphOf('solo', { settings: toolsAsk });
const no = ended({ decision: 'deny', note: 'Not to them.' });

/** What the model of the last request read of its calls. */
function resultsOf(run: ReturnType<typeof stintsOf>): string[] {
  const last = run.asked.at(-1)?.messages.at(-1);
  return last?.role === 'tool' ? last.results.map(({ result }) => textOf(result.content)) : [];
}

/** Faults that other frameworks had, by the number of their issue. */
describe('waiting for people, where others failed', () => {
  it('Mastra #16468, #18041: two calls of one tool are two questions, and each keeps its answer', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob')] }, 'end'] });
    await run.stint();
    expect(new Set(run.open().map(({ item }) => item)).size).toBe(2);
    run.answer('ann', no);
    run.answer('bob');
    const done = await run.stint();
    expect(run.sent).toEqual(['bob']);
    expect(resultsOf(run)).toEqual([expect.stringContaining('Not to them.'), 'sent to bob']);
    checkLog(done.log);
  });

  it('Mastra #19435, #20322, #20529: the second question is not lost when the first is answered', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob')] }, 'end'] });
    await run.stint();
    run.answer('ann');
    expect((await run.stint()).outcome.status).toBe('suspended');
    expect(run.open().map(({ arguments: args }) => args)).toEqual([{ to: 'bob' }]);
    run.answer('bob');
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['ann', 'bob']);
  });

  it('agentscope: declining one of two does not confirm the other', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob')] }, 'end'] });
    await run.stint();
    run.answer('ann', no);
    expect((await run.stint()).outcome.status).toBe('suspended');
    expect(run.sent).toEqual([]);
    expect(run.open()).toHaveLength(1);
  });

  it('ADK #6732: results of finished siblings are kept, and the answer is not empty', async () => {
    const run = stintsOf(solo, {
      solo: [{ calls: [{ tool: 'write', arguments: {} }, send('ann'), { tool: 'write', arguments: {} }] }, 'end'],
    });
    await run.stint();
    run.answer('ann');
    const done = await run.stint();
    expect(done.outcome.answer).toBe('end');
    expect(resultsOf(run)).toEqual(['written', 'sent to ann', 'written']);
    expect(run.written).toHaveLength(2);
  });

  it('LangGraph PR #3126: the batch does not run again, also where a call waits for its turn to write', async () => {
    const run = stintsOf(solo, {
      solo: [{ calls: [send('ann'), { tool: 'write', arguments: { value: 'late' } }] }, 'end'],
    });
    await run.stint();
    await run.stint();
    run.answer('ann');
    const done = await run.stint();
    expect(run.written).toEqual(['late']);
    expect(done.log.flatMap((event) => (event.kind === 'state.changed' ? [event.delta] : []))).toEqual([{ k: 'late' }]);
  });

  it('LangGraph #6533: answers that come in another order reach the calls that they are for', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob'), send('cy')] }, 'end'] });
    await run.stint();
    for (const to of ['cy', 'ann', 'bob']) {
      run.answer(to, ended({ decision: 'edit', arguments: { to: `${to}@work` } }));
      await run.stint();
    }
    expect(run.sent).toEqual(['cy@work', 'ann@work', 'bob@work']);
    // The first line says what a person changed.
    expect(resultsOf(run).map((text) => text.split('\n')[1]?.slice(0, 12))).toEqual([
      'sent to ann@',
      'sent to bob@',
      'sent to cy@w',
    ]);
  });

  it('ADK #3018: the model is not asked again before the answer', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    await run.stint();
    expect(run.asked.map(({ step }) => step)).toEqual(['solo#m1']);
  });

  for (const depth of [2, 3]) {
    it(`OpenAI Agents js #243, #680, python #4414: a question ${depth} levels down reaches the root, and its answer comes back`, async () => {
      const names = ['a', 'b', 'c'].slice(0, depth);
      const edges = ['lead', ...names].slice(0, -1).map((from, index) => `${from} > ${names[index]}`);
      const scripts = Object.fromEntries(
        ['lead', ...names].map((name, index) => [
          name,
          [{ calls: [index < depth ? agent(names[index] ?? '') : send('ann')] }, `${name} says`],
        ]),
      );
      const run = stintsOf(graphOf(edges.join('; '), { settings: toolsAsk }), scripts);
      await run.stint();
      expect(run.open().map(({ path }) => path)).toEqual([['lead', ...names.map((name) => `${name}[1]`)].join('/')]);
      run.answer('ann');
      expect((await run.stint()).outcome).toMatchObject({ status: 'completed', answer: 'lead says' });
      expect(run.sent).toEqual(['ann']);
    });
  }

  it('ADK #5349: the second question of one child, and the third, are answered as the first', async () => {
    const run = stintsOf(graphOf('lead > kid', { settings: toolsAsk }), {
      lead: [{ calls: [agent('kid')] }, 'end'],
      kid: [{ calls: [send('one')] }, { calls: [send('two')] }, { calls: [send('three')] }, 'kid says'],
    });
    for (const to of ['one', 'two', 'three']) {
      await run.stint();
      run.answer(to);
    }
    const done = await run.stint();
    expect(done.outcome.answer).toBe('end');
    expect(done.log.filter(({ kind }) => kind === 'instance.started')).toHaveLength(2);
  });

  it('agent-framework #7458: an answer whose effect was lost with the worker counts again', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    run.answer('ann');
    await run.stint();
    const answered = run.log().findIndex(({ kind }) => kind === 'person.answered');
    run.cut(answered + 1);
    const done = await run.stint();
    expect(done.outcome.status).toBe('completed');
    expect(done.log.filter(({ kind }) => kind === 'person.asked' || kind === 'person.answered')).toHaveLength(2);
    checkLog(done.log);
  });

  it('Inngest #1433: an answer that comes before anybody waits for it is not lost', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    run.cut(run.log().findIndex(({ kind }) => kind === 'person.asked') + 1);
    run.answer('ann');
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.log().filter(({ kind }) => kind === 'run.suspended')).toEqual([]);
  });

  it('Mastra #20487: a call that a person denied does not run because of an approval that was remembered after it', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob')] }, 'end'] });
    await run.stint();
    run.answer('bob', no);
    run.answer('ann');
    run.desk.grants = () => [grantOf(run.open()[0])];
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['ann']);
    expect(resultsOf(run)[1]).toContain('Not to them.');
  });

  it('Claude Code #33901, #37730: children do not ask again for what was remembered, and open questions are answered by it', async () => {
    const run = stintsOf(graphOf('lead > kid', { settings: toolsAsk }), {
      lead: [{ calls: [agent('kid'), agent('kid')] }, 'end'],
      kid: [{ calls: [send('ann')] }, { calls: [send('bob')] }, 'kid says'],
    });
    await run.stint();
    const [first] = run.open();
    run.desk.end(first?.item ?? expect.unreachable(), ended());
    run.desk.grants = () => [grantOf(first)];
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['ann', 'ann', 'bob', 'bob']);
    const answers = run.log().flatMap((event) => (event.kind === 'person.answered' ? [event.answer?.by] : []));
    expect(answers.sort()).toEqual(['ann', 'grant', 'grant', 'grant']);
  });

  it('Claude Code #11934: a child asks as its parent does, and is not denied without a question', async () => {
    const run = stintsOf(graphOf('lead > kid', { settings: toolsAsk }), {
      lead: [{ calls: [send('ann'), agent('kid')] }, 'end'],
      kid: [{ calls: [send('bob')] }, 'kid says'],
    });
    await run.stint();
    expect(run.open().map(({ path }) => path)).toEqual(['lead', 'lead/kid[1]']);
    await run.finish();
    expect(run.sent.sort()).toEqual(['ann', 'bob']);
  });

  it('LangGraph #6624, #4028: of questions below different children each is answered alone, in any order', async () => {
    const run = stintsOf(graphOf('lead > a, b, c', { settings: toolsAsk }), {
      lead: [{ calls: [agent('a'), agent('b'), agent('c')] }, 'end'],
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [name, [{ calls: [send(name)] }, `${name} says`]])),
    });
    await run.stint();
    run.answer('c');
    run.answer('a', no);
    expect((await run.stint()).outcome.status).toBe('suspended');
    expect(run.sent).toEqual(['c']);
    expect(run.open().map(({ arguments: args }) => args)).toEqual([{ to: 'b' }]);
    run.answer('b');
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['c', 'b']);
    expect(run.log().filter(({ kind }) => kind === 'instance.started')).toHaveLength(4);
  });

  it('LangGraph.js #1298, Mastra #23626: a grandchild that asks in each of three cycles ends each with its own answer', async () => {
    const run = stintsOf(graphOf('lead > kid; kid > deep', { settings: toolsAsk }), {
      lead: [{ calls: [agent('kid')] }, 'end'],
      kid: [{ calls: [agent('deep')] }, 'kid says'],
      deep: [{ calls: [send('one')] }, { calls: [send('two')] }, { calls: [send('three')] }, 'deep says'],
    });
    const notes = ['first', 'second', 'third'];
    for (const [index, to] of ['one', 'two', 'three'].entries()) {
      await run.stint();
      run.answer(to, ended({ decision: 'edit', arguments: { to: `${to} ${notes[index]}` } }));
    }
    expect((await run.stint()).outcome.answer).toBe('end');
    expect(run.sent).toEqual(['one first', 'two second', 'three third']);
    checkLog(run.log());
  });

  it('vercel/ai #14428: the request after a denial has a result for each call, in order', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), work(10), send('bob')] }, 'end'] });
    await run.stint();
    run.answer('ann', no);
    run.answer('bob', no);
    expect((await run.stint()).outcome).toMatchObject({ status: 'completed', answer: 'end' });
    const messages = run.asked.at(-1)?.messages ?? [];
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    const last = messages.at(-1);
    const results = last?.role === 'tool' ? last.results : [];
    expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
    expect(resultsOf(run)).toEqual([
      expect.stringContaining('Not to them.'),
      'worked',
      expect.stringContaining('Not to them.'),
    ]);
  });

  it('agent-framework #7383: an approval does not cover other arguments that hide behind equal shown ones', async () => {
    const asked = { to: 'ann', password: 'one' };
    const first = stintsOf(solo, { solo: [{ calls: [{ tool: 'box__send', arguments: asked }] }, 'end'] });
    await first.stint();
    const second = stintsOf(solo, {
      solo: [{ calls: [{ tool: 'box__send', arguments: { ...asked, password: 'two' } }] }, 'end'],
    });
    await second.stint();
    const [one, two] = [first.open()[0], second.open()[0]];
    expect(one?.arguments).toEqual(two?.arguments);
    expect(one?.argumentsHash).not.toBe(two?.argumentsHash);
    const { argumentsHash } = one ?? expect.unreachable();
    second.desk.grants = () => [{ ...grantOf(one), argumentsHash }];
    expect((await second.stint()).outcome.status).toBe('suspended');
    expect(second.sent).toEqual([]);
  });

  it('OpenAI Agents js PR #993, #996, CopilotKit #1397, #4953: question, answer and types survive JSON, at any depth', async () => {
    const run = stintsOf(graphOf('lead > kid', { settings: toolsAsk }), {
      lead: [{ calls: [agent('kid')] }, 'end'],
      kid: [
        { calls: [{ tool: 'box__send', arguments: { to: 'ann', at: 10, tags: ['a', null], deep: { yes: true } } }] },
        'ok',
      ],
    });
    await run.stint();
    run.reload();
    const [question] = run.open();
    expect(question?.arguments).toEqual({ to: 'ann', at: 10, tags: ['a', null], deep: { yes: true } });
    run.answer('ann');
    run.reload();
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['ann']);
    expect(run.log().filter(({ kind }) => kind === 'person.asked')).toEqual([question]);
  });

  it('Inngest #1617: a run that has ended is ended at once, though a child still waited', async () => {
    const stop = new AbortController();
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    stop.abort();
    const done = await run.stint({ signal: stop.signal });
    expect(done.outcome.status).toBe('cancelled');
    expect(run.open()).toEqual([]);
    expect(done.log.at(-1)?.kind).toBe('run.finished');
    expect(run.sent).toEqual([]);
  });

  it('n8n #34645: an approved call runs, once, with the arguments that were approved', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, { calls: [send('ann')] }, 'end'] });
    await run.stint();
    run.answer('ann');
    await run.stint();
    expect(run.sent).toEqual(['ann']);
    run.answer('ann');
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['ann', 'ann']);
    expect(run.log().filter(({ kind }) => kind === 'person.answered')).toHaveLength(2);
  });
});

/** An approval of any call of the tool of a question, remembered for the run. */
function grantOf(question: EventOf<'person.asked'> | undefined): Grant {
  const { tool } = question ?? expect.unreachable();
  const { name, serverName, schemaHash } = tool ?? expect.unreachable();
  return {
    ...{ id: 'g1', scope: 'run', tool: name, schemaHash, by: 'ann', at: brandAs<EpochMs>(0) },
    ...(serverName !== undefined && { serverName }),
  };
}
