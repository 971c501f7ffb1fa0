import { expect, test } from 'vitest';
import { importedAt, onlyRunOf, outlineOf, textsOf } from '@/lib/testing/imported-files';
import { runsOfFiles } from './runs-of-files';

const eventsOfFiles = (files: Readonly<Record<string, unknown>>) => onlyRunOf(runsOfFiles(textsOf(files), importedAt));

const block = (text: string) => [{ type: 'text', text }];
const session = {
  'session.json': {
    ...{
      schema_version: 4,
      session_id: '2607121200-abc123',
      created_at: '2026-07-12T12:00:00',
      metadata: { title: 'A title' },
    },
    continuation: { active_agent: 'PMO', agents: { PMO: { model: 'gpt-5' } } },
  },
  'history_PMO.json': {
    messages: [
      { role: 'user', content: block('Plan'), timestamp: '2026-07-12T12:00:00Z' },
      {
        ...{ role: 'assistant', content: [], timestamp: '2026-07-12T12:00:02Z', stop_reason: 'toolUse' },
        tool_calls: { c1: { method: 'tools/call', params: { name: 'agent__NY', arguments: { message: 'go' } } } },
        channels: {
          'fast-agent-timing': block('{"duration_ms":1000,"ttft_ms":300}'),
          'fast-agent-usage': block(
            '{"provider_attempts":[{"provider":"openai","model":"gpt-5","prompt":{"total":9,"cache_read":4},"completion":{"total":3,"reasoning":1},"cost_usd":0.01}]}',
          ),
        },
      },
      {
        role: 'user',
        content: [],
        tool_results: { c1: { content: block('done'), isError: false } },
        timestamp: '2026-07-12T12:00:05Z',
      },
      {
        role: 'assistant',
        content: block('All planned'),
        timestamp: '2026-07-12T12:00:07Z',
        stop_reason: 'endTurn',
        channels: { 'fast-agent-timing': block('{"duration_ms":1500}') },
      },
    ],
  },
  'trajectories/c1_NY_1.json': {
    ...{
      schema_version: 1,
      trajectory_id: 'traj_1',
      parent_agent_name: 'PMO',
      parent_tool_call_id: 'c1',
      agent_name: 'NY[1]',
    },
    ...{ started_at: '2026-07-12T12:00:02.500Z', completed_at: '2026-07-12T12:00:05Z', rendered_child_input: 'go' },
    messages: [
      { role: 'user', content: block('go') },
      { role: 'assistant', content: block('done'), timestamp: '2026-07-12T12:00:04Z', stop_reason: 'endTurn' },
    ],
  },
};

test('a session folder of fast-agent becomes a run with the children that have trajectories', () => {
  const inFolder = Object.fromEntries(
    Object.entries(session).map(([path, file]) => [`.fast-agent/sessions/x/${path}`, file]),
  );
  const events = eventsOfFiles(inFolder);
  expect(outlineOf(events)).toEqual([
    ...[
      '0 + PMO',
      '1 + PMO#m1',
      '2 - PMO#m1',
      '2 + PMO#t1',
      '2.5 + PMO/NY[1]',
      '2.5 + PMO/NY[1]#m1',
      '4 - PMO/NY[1]#m1',
    ],
    ...['5 - PMO/NY[1]', '5.5 - PMO#t1', '5.5 + PMO#m2', '7 - PMO#m2', '7 - PMO'],
  ]);
  expect(events.find(({ kind }) => kind === 'model.ended')).toMatchObject({
    ...{ costUsd: 0.01, firstTokenMs: 300 },
    usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 1, modelCalls: 1 },
  });
  expect(events.at(-1)).toMatchObject({ status: 'completed', answer: 'All planned' });
  expect(events.find(({ kind }) => kind === 'instance.started')?.imported?.attributes).toMatchObject({
    metadata: { title: 'A title' },
  });
});

const noFigures = (times: number) =>
  Array.from({ length: times }, (_, place) => ({
    ...{ role: 'assistant', content: block(`said ${place}`), timestamp: `2026-07-12T12:00:1${place}Z` },
  }));
const counted = {
  ...{ role: 'assistant', content: block('counted'), timestamp: '2026-07-12T12:00:05Z' },
  channels: {
    'fast-agent-usage': block('{"provider_attempts":[{"prompt":{"total":30},"completion":{"total":4}}]}'),
  },
};

test.each<[string, readonly object[], readonly [number, number], number]>([
  ['no call has figures', noFigures(2), [100, 20], 2],
  ['some calls have figures', [counted, ...noFigures(2)], [100, 20], 3],
  ['all calls have figures', [counted], [30, 4], 1],
])('the tokens of a session are its usage_summary where %s', (_, messages, tokens, calls) => {
  const events = eventsOfFiles({
    'session.json': {
      ...session['session.json'],
      analysis: { usage_summary: { input_tokens: 100, output_tokens: 20, total_tokens: 120 } },
    },
    'history_PMO.json': { messages: [{ role: 'user', content: block('Plan') }, ...messages] },
  });
  expect(events.at(-1)).toMatchObject({
    usage: { inputTokens: tokens[0], outputTokens: tokens[1], modelCalls: calls },
    agents: [{ agentName: 'PMO', usage: { inputTokens: tokens[0], outputTokens: tokens[1] } }],
  });
});
