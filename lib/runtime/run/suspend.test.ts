import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import type { FakeClock } from '@/lib/testing/fake-clock';
import { chainOf } from '@/lib/testing/fake-hooks';
import { graphOf } from '@/lib/testing/graph-of';
import { ended, type PeopleDesk } from '@/lib/testing/people-desk';
import { agent, send, stintsOf, toolsAsk, work } from '@/lib/testing/stints-of';

const asking = { approvals: { default: 'ask' as const } };

function count(log: readonly RunEvent[], kind: RunEvent['kind']): number {
  return log.filter((event) => event.kind === kind).length;
}

describe('a run that waits for people alone', () => {
  it('is suspended, writes nothing more, and goes on with the answer', async () => {
    const run = stintsOf(graphOf('solo', { settings: asking }), { solo: [{ calls: [send('ann')] }, 'end'] });
    const first = await run.stint();
    expect(first.outcome).toMatchObject({ status: 'suspended', answer: undefined });
    expect(first.log.at(-1)).toMatchObject({ kind: 'run.suspended', open: 1, activeMs: { solo: 0 } });
    expect(count(first.log, 'instance.ended') + count(first.log, 'tool.ended')).toBe(0);
    expect(run.desk.waiting.size).toBe(0);
    expect(run.sent).toEqual([]);
    run.answerAll();
    const second = await run.stint();
    expect(second.outcome).toMatchObject({ status: 'completed', answer: 'end' });
    expect(run.sent).toEqual(['ann']);
    expect(second.sink.events.map(({ kind }) => kind)).toEqual([
      'run.resumed',
      'person.answered',
      'tool.ended',
      'model.started',
      'model.ended',
      'instance.ended',
      'run.finished',
    ]);
    checkLog(second.log);
  });

  it('is suspended again while no answer has come, and asks nothing twice', async () => {
    const run = stintsOf(graphOf('solo', { settings: asking }), { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    const second = await run.stint();
    expect(second.sink.events.map(({ kind }) => kind)).toEqual(['run.resumed', 'run.suspended']);
  });

  it('has asked all its questions, also when only one call may run at a time', async () => {
    const parsed = graphOf('solo', { settings: { ...asking, limits: { max_parallel: 1 } } });
    const run = stintsOf(parsed, { solo: [{ calls: ['ann', 'bob', 'cy'].map(send) }, 'end'] });
    const first = await run.stint();
    expect(first.log.at(-1)).toMatchObject({ kind: 'run.suspended', open: 3 });
    run.answer('bob');
    const second = await run.stint();
    expect(second.log.at(-1)).toMatchObject({ kind: 'run.suspended', open: 2 });
    expect(run.sent).toEqual(['bob']);
    run.answerAll();
    const third = await run.stint();
    expect(third.outcome.status).toBe('completed');
    expect(run.sent).toEqual(['bob', 'ann', 'cy']);
    expect(count(third.log, 'tool.started')).toBe(3);
  });

  it('has asked all its questions, also when its worker pauses between two calls', async () => {
    const parsed = graphOf('solo', { settings: asking });
    const run = stintsOf(parsed, { solo: [{ calls: ['ann', 'bob', 'cy'].map(send) }, 'end'] });
    let calls = 0;
    const { log } = await run.stint({
      pause(clock) {
        calls += 1;
        return calls === 2 ? clock.sleep(5) : undefined;
      },
    });
    expect(log.at(-1)).toMatchObject({ kind: 'run.suspended', open: 3 });
  });

  it('stays where it is while a sibling works, and while the hold time lasts', async () => {
    const parsed = graphOf('solo', { settings: toolsAsk });
    const scripts = { solo: [{ calls: [send('ann'), work(400)] }, 'end'] };
    const run = stintsOf(parsed, scripts, 1_000);
    const first = await run.stint();
    expect(first.log.at(-1)).toMatchObject({ kind: 'run.suspended', at: 1_400 });
    const held = stintsOf(parsed, scripts, 1_000);
    const done = await held.stint({
      during(clock, desk) {
        void clock.sleep(1_300).then(() => {
          for (const item of desk.waiting) desk.end(item, ended());
        });
      },
    });
    expect(done.outcome.status).toBe('completed');
    expect(count(done.log, 'run.suspended')).toBe(0);
    expect(done.clock.now()).toBe(1_300);
  });

  it('is held longer when somebody begins to watch', async () => {
    const run = stintsOf(graphOf('solo', { settings: asking }), { solo: [{ calls: [send('ann')] }, 'end'] });
    let hold = 1_000;
    const first = await run.stint({
      during(clock, desk) {
        desk.holdMs = () => hold;
        void clock.sleep(500).then(() => {
          hold = 60_000;
        });
      },
    });
    expect(first.log.at(-1)).toMatchObject({ kind: 'run.suspended', at: 60_000 });
  });

  it('takes a question at depth 3 to its end, cycle after cycle, in one child', async () => {
    const parsed = graphOf('lead > a; a > b; b > c', { settings: toolsAsk });
    const run = stintsOf(parsed, {
      lead: [{ calls: [agent('a')] }, 'lead says'],
      a: [{ calls: [agent('b')] }, 'a says'],
      b: [{ calls: [agent('c')] }, 'b says'],
      c: [{ calls: [send('one')] }, { calls: [send('two')] }, { calls: [send('three')] }, 'c says'],
    });
    for (const to of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
      expect((await run.stint()).outcome.status).toBe('suspended');
      expect(run.sent).toEqual(to.slice(0, -1));
      run.answerAll();
    }
    const last = await run.stint();
    expect(last.outcome).toMatchObject({ status: 'completed', answer: 'lead says' });
    expect(run.sent).toEqual(['one', 'two', 'three']);
    expect(count(last.log, 'instance.started')).toBe(4);
    // Suspensions are no attempts.
    expect(last.log.flatMap((event) => (event.kind === 'tool.started' ? [event.attempt] : []))).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
    checkLog(last.log);
  });

  it('keeps the turn at a pool or a session for a child that waits', async () => {
    for (const options of [{ isolation: { pool: 1 } }, { session: 'reuse' as const }]) {
      const settings = { ...toolsAsk, delegations: { lead: { kid: options } } };
      const run = stintsOf(graphOf('lead > kid', { settings }), {
        lead: [{ calls: [agent('kid'), agent('kid')] }, 'end'],
        kid: [{ calls: [send('ann')] }, 'kid says', { calls: [send('bob')] }, 'kid says more'],
      });
      await run.stint();
      expect(run.open()).toHaveLength(1);
      run.answerAll();
      await run.stint();
      run.answerAll();
      const last = await run.stint();
      expect(last.outcome.status).toBe('completed');
      checkLog(last.log);
    }
  });

  it('runs the hooks that wrap a waiting call again, and not the tool', async () => {
    const parsed = graphOf('solo', { settings: asking, cards: { solo: chainOf('watch') } });
    const run = stintsOf(parsed, { solo: [{ calls: [send('ann')] }, 'end'] });
    await run.stint();
    run.answerAll();
    const second = await run.stint();
    expect(second.outcome.status).toBe('completed');
    expect(run.hooked).toEqual(['box__send', 'box__send']);
    expect(run.sent).toEqual(['ann']);
    checkLog(second.log);
  });
});

describe('time limits of a run that waits for people', () => {
  const limits = { child_timeout_ms: 10_000, run_timeout_ms: 30_000 };
  const kidWorks = (first: number, second: number) => ({
    lead: [{ calls: [agent('kid')] }, 'end'],
    kid: [{ calls: [work(first)] }, { calls: [send('ann')] }, { calls: [work(second)] }, 'kid says'],
  });
  const parsed = graphOf('lead > kid', { settings: { ...toolsAsk, limits } });

  it('do not count what people take, in one execution or over several', async () => {
    const run = stintsOf(parsed, kidWorks(4_000, 5_000), 60_000);
    const first = await run.stint();
    expect(first.log.at(-1)).toMatchObject({ kind: 'run.suspended', activeMs: { lead: 4_000, 'lead/kid[1]': 4_000 } });
    run.pass(3_600_000);
    run.answerAll();
    const second = await run.stint();
    expect(second.outcome.status).toBe('completed');
    const held = stintsOf(parsed, kidWorks(4_000, 5_000), 7_200_000);
    const done = await held.stint({
      during(clock, desk) {
        void clock.sleep(3_600_000).then(() => {
          for (const item of desk.waiting) desk.end(item, ended());
        });
      },
    });
    expect(done.outcome.status).toBe('completed');
    expect(count(done.log, 'run.suspended')).toBe(0);
  });

  it('count the work of all executions together', async () => {
    for (const holdMs of [0, 7_200_000]) {
      const run = stintsOf(parsed, kidWorks(6_000, 6_000), holdMs);
      const answer = (clock: FakeClock, desk: PeopleDesk) => {
        void clock.sleep(3_600_000).then(() => {
          for (const item of desk.waiting) desk.end(item, ended());
        });
      };
      let last = await run.stint({ during: answer });
      if (holdMs === 0) {
        run.answerAll();
        last = await run.stint();
      }
      const kid = last.log.find((event) => event.kind === 'instance.ended' && event.path === 'lead/kid[1]');
      expect(kid).toMatchObject({ status: 'timeout' });
      expect(last.outcome.status).toBe('completed');
      checkLog(last.log);
    }
  });

  it('of a run end its open questions, and the tool does not run', async () => {
    const run = stintsOf(graphOf('solo', { settings: { ...toolsAsk, limits } }), {
      solo: [{ calls: [send('ann'), work(40_000)] }, 'end'],
    });
    const done = await run.stint();
    expect(done.outcome).toMatchObject({ status: 'failed', error: { code: 'run_timeout' } });
    expect(done.sink.of('person.answered').map(({ outcome }) => outcome)).toEqual(['withdrawn']);
    expect(run.sent).toEqual([]);
    checkLog(done.log);
  });

  it('of a child end its open questions, and the tool does not run', async () => {
    const run = stintsOf(parsed, {
      lead: [{ calls: [agent('kid')] }, 'end'],
      kid: [{ calls: [send('ann'), work(12_000)] }, 'kid says'],
    });
    const done = await run.stint();
    expect(done.outcome.status).toBe('completed');
    expect(done.sink.of('person.answered').map(({ outcome }) => outcome)).toEqual(['withdrawn']);
    expect(run.sent).toEqual([]);
    checkLog(done.log);
  });
});

it('a run goes on from wherever its worker died, with the answers that were given', async () => {
  const scripts = {
    lead: [{ calls: [agent('kid'), send('cy')] }, 'end'],
    kid: [{ calls: [send('ann'), { tool: 'write', arguments: {} }, send('bob')] }, 'kid says'],
  };
  const parsed = graphOf('lead > kid', { settings: toolsAsk, cards: { kid: chainOf('watch') } });
  const whole = stintsOf(parsed, scripts);
  await whole.stint();
  whole.answerAll();
  const { log, outcome } = await whole.stint();
  expect(outcome.status).toBe('completed');
  // Answers are only given to questions that are durable.
  const asked = log.findLastIndex(({ kind }) => kind === 'person.asked');
  for (let length = 0; length <= log.length; length += 1) {
    const run = stintsOf(parsed, scripts);
    await run.stint();
    if (length > asked) {
      run.answerAll();
      await run.stint();
    }
    run.cut(length);
    const last = await run.finish();
    expect(last.outcome).toEqual(outcome);
    checkLog(last.log);
    const answers = last.log.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : []));
    expect(new Set(answers).size).toBe(3);
    expect(answers).toHaveLength(3);
  }
});

describe('a run that is stopped while it waits for people', () => {
  const parsed = graphOf('lead > a; a > b', { settings: toolsAsk });
  const scripts = {
    lead: [{ calls: [agent('a'), send('cy')] }, 'end'],
    a: [{ calls: [agent('b'), agent('b')] }, 'a says'],
    b: [{ calls: [send('ann'), send('bob')] }, 'b says'],
  };
  const stopped = () => {
    const stop = new AbortController();
    stop.abort();
    return stop.signal;
  };

  it('closes every lane, withdraws every question and runs no tool when it was suspended', async () => {
    const run = stintsOf(parsed, scripts);
    await run.stint();
    expect(run.open()).toHaveLength(5);
    // One answer came at the same time.
    run.answer('cy');
    const done = await run.stint({ signal: stopped() });
    expect(done.outcome.status).toBe('cancelled');
    expect(done.sink.of('person.answered').map(({ outcome }) => outcome)).toEqual(Array(5).fill('withdrawn'));
    expect(run.sent).toEqual([]);
    expect(run.open()).toEqual([]);
    checkLog(done.log);
  });

  it('does so when it still is in its worker', async () => {
    const run = stintsOf(parsed, scripts, 60_000);
    const stop = new AbortController();
    const done = await run.stint({
      signal: stop.signal,
      during(clock) {
        void clock.sleep(2_000).then(() => stop.abort());
      },
    });
    expect(done.outcome.status).toBe('cancelled');
    expect(done.sink.of('person.answered').map(({ outcome }) => outcome)).toEqual(Array(5).fill('withdrawn'));
    expect(run.sent).toEqual([]);
    checkLog(done.log);
  });
});
