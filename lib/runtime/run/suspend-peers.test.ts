import { describe, expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { checkLog } from '@/lib/testing/check-log';
import { graphOf } from '@/lib/testing/graph-of';
import { ended } from '@/lib/testing/people-desk';
import { agent, send, stintsOf, toolsAsk } from '@/lib/testing/stints-of';

const solo = graphOf('solo', { settings: toolsAsk });
const no = ended({ decision: 'deny', note: 'Not to them.' });

/** What the model of the last request read of its calls. */
function resultsOf(run: ReturnType<typeof stintsOf>): string[] {
  const last = run.asked.at(-1)?.messages.at(-1);
  return last?.role === 'tool' ? last.results.map(({ result }) => textOf(result.content)) : [];
}

/** Faults that other frameworks had, by the number of their issue. */
describe('waiting for people, where others failed', () => {
  it('E-04 Mastra #16468, #18041: two calls of one tool are two questions, and each keeps its answer', async () => {
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

  it('E-04 Mastra #19435, #20322, #20529: the second question is not lost when the first is answered', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob')] }, 'end'] });
    await run.stint();
    run.answer('ann');
    expect((await run.stint()).outcome.status).toBe('suspended');
    expect(run.open().map(({ arguments: args }) => args)).toEqual([{ to: 'bob' }]);
    run.answer('bob');
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.sent).toEqual(['ann', 'bob']);
  });

  it('E-07 agentscope: declining one of two does not confirm the other', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann'), send('bob')] }, 'end'] });
    await run.stint();
    run.answer('ann', no);
    expect((await run.stint()).outcome.status).toBe('suspended');
    expect(run.sent).toEqual([]);
    expect(run.open()).toHaveLength(1);
  });

  it('E-03 ADK #6732: results of finished siblings are kept, and the answer is not empty', async () => {
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

  it('E-03 LangGraph PR #3126: the batch does not run again, also where a call waits for its turn to write', async () => {
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

  it('E-05 LangGraph #6533: answers that come in another order reach the calls that they are for', async () => {
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

  it('E-16 ADK #3018: the model is not asked again before the answer', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    await run.stint();
    expect(run.asked.map(({ step }) => step)).toEqual(['solo#m1']);
  });

  for (const depth of [2, 3]) {
    it(`E-10 OpenAI Agents js #243, #680, python #4414: a question ${depth} levels down reaches the root, and its answer comes back`, async () => {
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

  it('E-11 ADK #5349: the second question of one child, and the third, are answered as the first', async () => {
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

  it('E-13 agent-framework #7458: an answer whose effect was lost with the worker counts again', async () => {
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

  it('E-14 Inngest #1433: an answer that comes before anybody waits for it is not lost', async () => {
    const run = stintsOf(solo, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    run.cut(run.log().findIndex(({ kind }) => kind === 'person.asked') + 1);
    run.answer('ann');
    expect((await run.stint()).outcome.status).toBe('completed');
    expect(run.log().filter(({ kind }) => kind === 'run.suspended')).toEqual([]);
  });
});
