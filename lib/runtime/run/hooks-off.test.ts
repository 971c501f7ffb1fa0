import { expect, it } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeHooks } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const same = { runId: brandAs<RunId>('run'), correlationId: brandAs<CorrelationId>('c0') };

/** `entries` are the run's hooks, as callboard.yaml has them. */
function ran(entries: readonly unknown[], log?: readonly RunEvent[]) {
  const hooks = fakeHooks({
    audit: { around: (_, args, next) => next(args) },
    guard: { around: (_, args, next) => next(args) },
    begin: { phase: () => undefined },
  });
  const begin = { spec: 'hooks.py:begin', file: 'hooks.py', functionName: 'begin' };
  const parsed = graphOf('lead', {
    cards: { lead: { servers: ['s'], lifecycleHooks: { on_start: begin } } },
    settings: { run_hooks: hookEntries(entries), hooks_off: { lead: { on_start: 'hooks.py:begin' } } },
  });
  const model = scriptedModel({ lead: [{ calls: [{ tool: 's__go', arguments: {} }] }, 'done'] });
  const work = runGraph({
    parsed,
    model,
    hooks,
    tools: { mcp: fakeTools({ s__go: () => 'went' }) },
    request: same,
    ...(log === undefined ? {} : { log }),
  });
  return work.then((run) => ({ run, ran: hooks.ran, loaded: hooks.loaded }));
}

const off = ['hooks.py:audit', { code: 'hooks.py:guard', enabled: false }];

it('skips a hook that is off, and counts places without it', async () => {
  const { run, ran: names, loaded } = await ran([off[1], off[0]]);
  expect(names).toEqual(['audit']);
  expect(run.sink.of('hook.started')).toEqual([
    expect.objectContaining({ hook: 'hooks.py:audit', step: 'lead#t1.h1' }),
  ]);
  expect(JSON.stringify(loaded)).not.toContain('guard');
  expect(JSON.stringify(loaded)).not.toContain('begin');
});

it('a run that goes on has the hooks of its own snapshot, whatever was switched meanwhile', async () => {
  const on = await ran(['hooks.py:audit', 'hooks.py:guard']);
  const begun = on.run.sink.events;
  const cut = begun.slice(
    0,
    begun.findIndex(({ kind }) => kind === 'tool.started'),
  );
  expect((await ran(['hooks.py:audit', 'hooks.py:guard'], cut)).ran).toEqual(['audit', 'guard']);
  expect((await ran(off, cut)).ran).toEqual(['audit']);
});
