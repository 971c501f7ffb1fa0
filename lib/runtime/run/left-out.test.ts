import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { LeftOut } from '@/lib/base/left-out';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const same = { runId: brandAs<RunId>('run'), correlationId: brandAs<CorrelationId>('c0') };
const kid: LeftOut = { kind: 'agent', name: 'kid' };

function run(leftOut: readonly LeftOut[], log?: readonly RunEvent[]) {
  const parsed = graphOf('lead > kid, other', {
    cards: { lead: { servers: ['s'] } },
  });
  const calls = ['s__go', 'agent__kid', 'agent__other'].map((tool) => ({ tool, arguments: { message: 'go' } }));
  const model = scriptedModel({ lead: [{ calls }, 'done'], kid: ['kid'], other: ['other'] });
  const work = runGraph({
    parsed,
    model,
    tools: { mcp: fakeTools({ s__go: () => 'went' }) },
    request: { ...same, leftOut },
    ...(log && { log }),
  });
  return work.then((made) => ({ ...made, offered: model.requests[0]?.tools.map(({ name }) => name) }));
}

test('an agent that is left out is no tool, and the start of the run says so', async () => {
  const { outcome, offered, sink } = await run([kid]);
  expect(outcome).toMatchObject({ status: 'completed', answer: 'done' });
  expect(offered).toEqual(['s__go', 'agent__other']);
  expect(sink.of('run.started')).toMatchObject([{ leftOut: [kid] }]);
  expect(sink.of('instance.queued').map(({ agentName }) => agentName)).toEqual(['lead', 'other']);
});

test('a run that goes on after a crash does without the same', async () => {
  const whole = await run([kid]);
  const at = whole.sink.events.findIndex(({ kind }) => kind === 'tool.started');
  const again = await run([kid], whole.sink.events.slice(0, at));
  expect(again.outcome).toEqual(whole.outcome);
  expect(again.sink.of('instance.queued').map(({ agentName }) => agentName)).toEqual(['other']);
});

test('a run that cannot do without something fails with a sentence', async () => {
  const { outcome, sink } = await run([{ kind: 'server', name: 'gone' }]);
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'left_out_needed' } });
  expect(outcome.error?.message).toContain("no server 'gone'");
  expect(sink.events.map(({ kind }) => kind)).toEqual(['run.started', 'run.finished']);
});
