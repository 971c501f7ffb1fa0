import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GET } from '@/app/api/v1/runs/[run]/route';
import type { RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import type { RunEvent } from '@/lib/runtime/record/events';
import { createEventWriter } from '@/lib/store/event-writer';
import { programOf } from '@/lib/testing/agent-run';
import { testDatabase } from '@/lib/testing/postgres';
import { agent, send } from '@/lib/testing/stints-of';
import { storedRun, taken } from '@/lib/testing/stored-run';

const { url, store } = await testDatabase();

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

async function stored(log: readonly RunEvent[]): Promise<RunId> {
  const runId = await storedRun(store);
  const { epoch, lastSeq } = await taken(store, runId, 'worker');
  const writer = createEventWriter(store, runId, {
    startSeq: lastSeq,
    epoch,
    clock: systemClock,
    batchMs: 0,
    onLost: () => undefined,
  });
  for (const { seq: _seq, at: _at, ...body } of log) writer.append(body);
  await writer.flush();
  return runId;
}

async function read(runId: RunId) {
  const headers = { Host: '127.0.0.1:3000' };
  const request = new Request(`http://127.0.0.1:3000/api/v1/runs/${runId}`, { headers });
  const response = await GET(request, { params: Promise.resolve({ run: runId }) });
  return await response.json();
}

test('a suspended run names every pending delegation as a program gets it, with session, reason, text and inner calls', async () => {
  const program = programOf({
    graph: 'lead > kid, planner, quick; kid > deep',
    scripts: {
      lead: [{ calls: [agent('kid'), agent('planner'), agent('quick'), send('root')] }, 'over'],
      kid: [{ text: 'I ask below.', calls: [agent('deep')] }, 'done'],
      deep: [{ text: 'Two letters.', calls: [send('Ann'), send('Ben')] }, 'done'],
      planner: [{ text: 'My plan.', calls: [{ tool: 'work' }] }, 'done'],
      quick: 'quick is done',
    },
    hooks: { planner: { after_llm_call: { phase: () => ({ stop: 'Fine?' }) } } },
  });
  const { results } = await program.call();
  const runId = await stored(program.run.log);
  const run = await read(runId);
  expect(run.status).toBe('suspended');
  expect(run.suspended).toEqual(JSON.parse(JSON.stringify(results)));
  expect(run.suspended).toMatchObject([
    { name: 'box__send', content: [{ path: 'lead', input: { to: 'root' } }] },
    {
      name: 'agent__planner',
      content: [{ text: 'My plan.' }, { name: 'work' }],
      meta: { subagent_generate_reason: 'REASONING_STOP_REQUESTED' },
    },
    {
      name: 'agent__kid',
      content: [{ text: 'Two letters.' }, { input: { to: 'Ann' } }, { input: { to: 'Ben' } }],
      meta: { suspended: true, subagent_generate_reason: 'APPROVAL_NEEDED' },
    },
  ]);
  // Its items are those that people answer.
  const items = await store.prisma.pendingItem.findMany({ where: { runId }, select: { id: true } });
  const named = run.suspended.flatMap((one: { items: string[] }) => one.items);
  expect([...named].sort()).toEqual(items.map(({ id }) => id).sort());
});

test('a run that is not suspended names nothing', async () => {
  const runId = await storedRun(store);
  expect(await read(runId)).not.toHaveProperty('suspended');
});
