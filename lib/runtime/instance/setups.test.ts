import { describe, expect, it } from 'vitest';
import type { OnServerStart, ToolPort } from '@/lib/runtime/ports';
import type { EventBody } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeHooks } from '@/lib/testing/fake-hooks';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const died =
  "Server 'files' did not start: `node x` exited with code 1. Error: no token\nLast output:\nError: no token";

/** A port whose server 'files' takes 100 ms to start, and then is there or says why not. */
function slowServer(clock: ReturnType<typeof fakeClock>, problem?: string): ToolPort {
  const list = async (signal: AbortSignal, onStart: OnServerStart | undefined) => {
    const ended = onStart?.('files');
    await clock.sleep(100, signal);
    ended?.(signal.aborted ? 'the run was stopped' : problem);
    return { tools: [], issues: [] };
  };
  return {
    list: (_, signal, onStart) => list(signal, onStart),
    call: () => Promise.reject(new Error('never called')),
    version: () => 1,
  };
}

function setupsIn(log: readonly ({ readonly at: number } & EventBody)[]): readonly string[] {
  return log.flatMap((event) => {
    if (event.kind === 'setup.started') return [`${event.at} ${event.step} ${event.what} ${event.name}`];
    if (event.kind === 'setup.ended') return [`${event.at} ${event.step} ${event.error?.code ?? 'ready'}`];
    return [];
  });
}

describe('what an instance waits for', () => {
  it('is told by its start and its end', async () => {
    const clock = fakeClock();
    const run = await runGraph({
      parsed: graphOf('solo'),
      model: scriptedModel({ solo: 'hello' }),
      tools: { mcp: slowServer(clock) },
      clock,
    });
    expect(setupsIn(run.log)).toEqual(['0 solo#s1 server files', '100 solo#s1 ready']);
    expect(run.outcome.failedServers).toBeUndefined();
  });

  it('is told of every sibling that waits for one server', async () => {
    const clock = fakeClock();
    const model = scriptedModel({
      lead: [{ calls: [{ tool: 'agent__kid' }, { tool: 'agent__kid' }] }, 'done'],
      kid: 'k',
    });
    const slow = slowServer(clock);
    const none = Promise.resolve({ tools: [], issues: [] });
    const mcp: ToolPort = {
      ...slow,
      list: (card, signal, onStart) => (card.name === 'kid' ? slow.list(card, signal, onStart) : none),
    };
    const { log } = await runGraph({ parsed: graphOf('lead > kid'), model, tools: { mcp }, clock });
    const [first, second, ...ends] = setupsIn(log).map((line) => line.replace(/^\d+ /, ''));
    expect([first, second]).toEqual(['lead/kid[1]#s1 server files', 'lead/kid[2]#s1 server files']);
    expect(ends).toEqual(['lead/kid[1]#s1 ready', 'lead/kid[2]#s1 ready']);
  });

  it('that does not start is an error of the setup and a field of the run, which goes on', async () => {
    const clock = fakeClock();
    const { outcome, log } = await runGraph({
      parsed: graphOf('solo'),
      model: scriptedModel({ solo: 'hello' }),
      tools: { mcp: slowServer(clock, died) },
      clock,
    });
    expect(setupsIn(log)).toEqual(['0 solo#s1 server files', '100 solo#s1 server_unavailable']);
    expect(outcome).toMatchObject({
      status: 'completed',
      answer: 'hello',
      failedServers: [{ name: 'files', message: died }],
    });
    expect(log.at(-1)).toMatchObject({ kind: 'run.finished', failedServers: [{ name: 'files', message: died }] });
    const again = await runGraph({ parsed: graphOf('solo'), model: scriptedModel({}), log });
    expect(again.outcome.failedServers).toEqual([{ name: 'files', message: died }]);
  });

  it('ends with a run that is stopped meanwhile, and is no failure then', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    void clock.sleep(40).then(() => stop.abort());
    const { outcome, log } = await runGraph({
      parsed: graphOf('solo'),
      model: scriptedModel({ solo: 'hello' }),
      tools: { mcp: slowServer(clock) },
      clock,
      signal: stop.signal,
    });
    expect(outcome).toMatchObject({ status: 'cancelled' });
    expect(outcome.failedServers).toBeUndefined();
    expect(setupsIn(log)).toEqual(['0 solo#s1 server files', '40 solo#s1 cancelled']);
    expect(log.slice(-2).map(({ kind }) => kind)).toEqual(['instance.ended', 'run.finished']);
  });

  it('is set up anew by a run that goes on after a crash, as a further setup', async () => {
    const clock = fakeClock();
    const input = { parsed: graphOf('solo'), tools: { mcp: slowServer(clock, died) }, clock };
    const whole = await runGraph({ ...input, model: scriptedModel({ solo: 'hello' }) });
    const upTo = whole.log.findIndex(({ kind }) => kind === 'setup.ended') + 1;
    const resumed = await runGraph({
      ...input,
      tools: { mcp: slowServer(clock) },
      model: scriptedModel({ solo: 'hello' }),
      log: whole.log.slice(0, upTo),
    });
    expect(setupsIn(resumed.log).map((line) => line.replace(/^\d+ /, ''))).toEqual([
      'solo#s1 server files',
      'solo#s1 server_unavailable',
      'solo#s2 server files',
      'solo#s2 ready',
    ]);
    expect(resumed.outcome.failedServers).toBeUndefined();
  });

  it('may be code, which the root instance waits for', async () => {
    const hooks = fakeHooks({ audit: { around: (_, args, next) => next(args) } });
    const parsed = graphOf('solo');
    const [card] = parsed.cards;
    if (card?.type !== 'agent') throw new Error('no card');
    const code = { spec: 'hooks.py:audit', file: 'hooks.py', functionName: 'audit' };
    const hooked = { ...parsed, cards: [{ ...card, toolHooks: { form: 'chain' as const, chain: [code] } }] };
    const { log } = await runGraph({ parsed: hooked, model: scriptedModel({ solo: 'hello' }), hooks });
    expect(log.slice(0, 5).map(({ kind }) => kind)).toEqual([
      'run.started',
      'instance.queued',
      'setup.started',
      'setup.ended',
      'instance.started',
    ]);
    expect(setupsIn(log)).toEqual(['0 solo#s1 code hooks.py', '0 solo#s1 ready']);
  });
});
