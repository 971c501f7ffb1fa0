import { expect, test } from 'vitest';
import { importedAt, onlyRunOf, outlineOf, textsOf } from '@/lib/testing/imported-files';
import { runsOfFiles } from './runs-of-files';

const eventsOfFiles = (files: Readonly<Record<string, unknown>>) => onlyRunOf(runsOfFiles(textsOf(files), importedAt));

const agentStep = (id: number, seconds: number, more: object = {}) => ({
  ...{ step_id: id, timestamp: `2026-07-12T12:00:0${seconds}Z`, source: 'agent', message: `said ${id}` },
  ...{ metrics: { prompt_tokens: 10, completion_tokens: 2 }, ...more },
});
const child = {
  ...{ schema_version: 'ATIF-v1.7', trajectory_id: 't2', agent: { name: 'kid[1]' } },
  steps: [
    { step_id: 1, timestamp: '2026-07-12T12:00:02Z', source: 'user', message: 'look' },
    agentStep(2, 4, { extra: { duration_ms: 1500 } }),
  ],
};
const atif = {
  ...{ schema_version: 'ATIF-v1.7', session_id: 's1', trajectory_id: 't1' },
  agent: { name: 'fast-agent', version: '1', model_name: 'gpt-5', extra: { target_agent: 'dev' } },
  steps: [
    { step_id: 1, timestamp: '2026-07-12T12:00:00Z', source: 'user', message: 'Inspect' },
    agentStep(2, 2, {
      tool_calls: [
        { tool_call_id: 'c1', function_name: 'agent__kid', arguments: { message: 'look' } },
        { tool_call_id: 'c2', function_name: 'shell', arguments: { command: 'pwd' } },
      ],
      observation: {
        results: [
          { source_call_id: 'c1', content: 'seen', subagent_trajectory_ref: [{ trajectory_id: 't2' }] },
          { source_call_id: 'c2', content: 'no such command', extra: { is_error: true } },
        ],
      },
    }),
    agentStep(3, 6, { extra: { duration_ms: 1000 } }),
  ],
  subagent_trajectories: [child],
};

test('an ATIF trajectory with a child agent becomes a run', () => {
  const events = eventsOfFiles({ 'trajectory.json': atif });
  expect(outlineOf(events)).toEqual([
    ...['0 + dev', '0 + dev#m1', '2 - dev#m1', '2 + dev#t1', '2 + dev/kid[1]', '2 + dev#t2', '2.5 + dev/kid[1]#m1'],
    ...['4 - dev/kid[1]#m1', '4 - dev/kid[1]', '5 - dev#t1', '5 - dev#t2', '5 + dev#m2', '6 - dev#m2', '6 - dev'],
  ]);
  expect(events[0]).toMatchObject({ kind: 'run.started', entryAgent: 'dev', message: 'Inspect', correlationId: 's1' });
  expect(events.at(-1)).toMatchObject({
    status: 'completed',
    answer: 'said 3',
    usage: { inputTokens: 30, outputTokens: 6, modelCalls: 3 },
  });
  const calls = events.filter(({ kind }) => kind === 'tool.started');
  expect(calls).toMatchObject([
    { source: 'agent', callId: 'c1' },
    { source: 'function', callId: 'c2', arguments: { command: 'pwd' } },
  ]);
  expect(events.find((event) => event.kind === 'tool.ended' && event.callId === 'c2')).toMatchObject({
    result: { isError: true, content: [{ type: 'text', text: 'no such command' }] },
  });
  const models = events.filter(({ kind }) => kind === 'model.started').map(({ imported }) => imported?.estimated);
  expect(models).toEqual([['start'], undefined, undefined]);
});

const crashed = {
  ...{ schema_version: 'ATIF-v1.7', session_id: 's-2', agent: { name: 'lead', version: '1' } },
  steps: [
    {
      step_id: 1,
      source: 'user',
      message: [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { path: 'a.png' } },
      ],
    },
    {
      ...{ step_id: 2, timestamp: '2026-08-01T08:00:03Z', source: 'agent', model_name: 'm', message: '' },
      tool_calls: ['c1', 'c2', 'c3'].map((id) => ({ tool_call_id: id, function_name: 'worker', arguments: {} })),
      observation: {
        results: [
          { source_call_id: 'c1', content: 'done', subagent_trajectory_ref: [{ trajectory_id: 't-a' }] },
          { source_call_id: null, content: 'a note of the environment' },
          { source_call_id: 'c2', content: null, subagent_trajectory_ref: [{ trajectory_path: 'children/b.json' }] },
        ],
      },
      metrics: {
        ...{ prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40, cost_usd: 0.01 },
        extra: { cache_creation_input_tokens: 12 },
      },
    },
    { step_id: 3, timestamp: '2026-08-01T08:00:01Z', source: 'agent', message: 'Earlier.', is_copied_context: true },
  ],
  subagent_trajectories: [
    { trajectory_id: 't-a', agent: { name: 'worker[1]' }, steps: [{ step_id: 1, source: 'user', message: 'a' }] },
  ],
  continued_trajectory_ref: 'more.json',
};
const b = {
  ...{ schema_version: 'ATIF-v1.5', session_id: 's-b', agent: { name: 'worker' } },
  steps: [
    { step_id: 1, source: 'user', message: 'b' },
    { step_id: 2, source: 'agent', message: 'b is done' },
  ],
  final_metrics: { total_prompt_tokens: 7, total_completion_tokens: 3, total_cost_usd: 0.02 },
};

test('a trajectory that crashed shows what it has, and says what it has not', () => {
  const events = eventsOfFiles({ 'x/crashed.json': crashed });
  const ofCall = (id: string) => events.filter((event) => 'callId' in event && event.callId === id);
  expect(events.filter(({ kind }) => kind === 'instance.queued')).toMatchObject([
    { path: 'lead' },
    { path: 'lead/worker[1]' },
  ]);
  expect(ofCall('c2')[0]?.imported?.attributes).toMatchObject({
    child_trajectory_not_imported: [{ trajectory_path: 'children/b.json' }],
  });
  expect(ofCall('c3').at(-1)).toMatchObject({
    result: {
      isError: true,
      errorCode: 'AGENT_CANCELLED',
      content: [{ type: 'text', text: 'No result in the file.' }],
    },
  });
  expect(JSON.stringify(events.find(({ kind }) => kind === 'model.started')?.imported)).toContain('a note of the env');
  const copied = events.find((event) => event.kind === 'tool.started' && event.toolName === 'copied context');
  expect(copied?.imported?.estimated).toEqual(['time: the file says 2000 ms before the end of the step above']);
  expect(events[0]).toMatchObject({ message: 'Look\n[image a.png]' });
  expect(events.at(-1)).toMatchObject({
    usage: {
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 40,
      cacheWriteTokens: 12,
      modelCalls: 1,
      recorded: { usd: 0.01 },
    },
  });
  expect(JSON.stringify(events)).toContain('The trajectory goes on in more.json, which was not imported.');
});

const terminus = (results: readonly object[], calls: readonly string[]) => ({
  ...{ schema_version: 'ATIF-v1.7', session_id: 's-t', agent: { name: 'terminus-2' } },
  steps: [
    { step_id: 1, source: 'user', message: 'go' },
    {
      ...{ step_id: 2, source: 'agent', message: '', observation: { results } },
      tool_calls: calls.map((id) => ({ tool_call_id: id, function_name: 'bash', arguments: {} })),
    },
  ],
});

test('calls of a step whose results name no call have ended, and the only call has the only result', () => {
  const resultsOf = (results: readonly object[], calls: readonly string[]) =>
    eventsOfFiles({ 't.json': terminus(results, calls) }).flatMap((event) =>
      event.kind === 'tool.ended' ? [[event.result.isError, event.result.content]] : [],
    );
  expect(resultsOf([{ content: 'a file' }], ['c1'])).toEqual([[false, [{ type: 'text', text: 'a file' }]]]);
  expect(resultsOf([{ content: 'all' }], ['c1', 'c2']).map(([isError]) => isError)).toEqual([false, false]);
  expect(resultsOf([], ['c1']).map(([isError]) => isError)).toEqual([true]);
});

const named = (id: string, more: object) => ({
  ...{ schema_version: 'ATIF-v1.7', session_id: id, agent: { name: id } },
  steps: [{ step_id: 1, source: 'user', message: id }],
  ...more,
});
const refTo = (trajectory_path: string) => ({
  observation: { results: [{ source_call_id: 'c', subagent_trajectory_ref: [{ trajectory_path }] }] },
});
const runKeys = (files: Readonly<Record<string, object>>) =>
  runsOfFiles(new Map(Object.entries(files).map(([path, file]) => [path, JSON.stringify(file)])), importedAt).runs.map(
    ({ key }) => key.split('\n')[1],
  );

test('each trajectory of an import is in a run, also if it is named and nobody reads it', () => {
  const askUser = { step_id: 1, source: 'user', message: 'x', ...refTo('b.json') };
  const files = { 'a.json': named('a', { steps: [askUser] }), 'b.json': named('b', {}), 'c.json': named('c', {}) };
  expect(runKeys(files)).toEqual(['a', 'c', 'b']);
  const circle = {
    'a.json': named('a', { continued_trajectory_ref: 'b.json' }),
    'b.json': named('b', { continued_trajectory_ref: 'a.json' }),
    'c.json': named('c', {}),
  };
  expect(runKeys(circle)).toEqual(['c', 'a']);
  const call = { tool_call_id: 'c', function_name: 'ask', arguments: {} };
  const step = { step_id: 1, source: 'agent', message: '', tool_calls: [call] };
  const inner = named('inner', { trajectory_id: 'inner', steps: [{ ...step, ...refTo('b.json') }] });
  const toInner = { results: [{ source_call_id: 'c', subagent_trajectory_ref: [{ trajectory_id: 'inner' }] }] };
  const middle = named('mid', {
    ...{ trajectory_id: 'mid', subagent_trajectories: [inner], steps: [{ ...step, observation: toInner }] },
  });
  const toMiddle = { results: [{ source_call_id: 'c', subagent_trajectory_ref: [{ trajectory_id: 'mid' }] }] };
  const outer = named('outer', { subagent_trajectories: [middle], steps: [{ ...step, observation: toMiddle }] });
  expect(runKeys({ 'b.json': named('b', {}), 'outer.json': outer })).toEqual(['outer']);
});

test('the totals of a continuation count for its own steps', () => {
  const said = { step_id: 2, source: 'agent', message: 'said' };
  const metrics = { prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.01 };
  const total = { total_prompt_tokens: 30, total_completion_tokens: 4, total_cost_usd: 0.05 };
  const usageOf = (...steps: readonly [object, object | undefined, object | undefined]) => {
    const [first, firstTotal, secondTotal] = steps;
    const a = named('a', { continued_trajectory_ref: 'b.json', final_metrics: firstTotal, steps: [first] });
    const last = eventsOfFiles({ 'a.json': a, 'b.json': named('b', { final_metrics: secondTotal, steps: [said] }) }).at(
      -1,
    );
    if (last?.kind !== 'run.finished') throw new Error('The run has no end.');
    return [last.usage.inputTokens, last.usage.outputTokens, Number(last.usage.recorded?.usd.toFixed(6))];
  };
  expect(usageOf({ ...said, metrics }, undefined, total)).toEqual([40, 6, 0.06]);
  expect(usageOf(said, total, total)).toEqual([60, 8, 0.1]);
  expect(usageOf(said, undefined, total)).toEqual([30, 4, 0.05]);
});

test('trajectories in other files of one import are children and continuations of the run', () => {
  const more = {
    ...{ schema_version: 'ATIF-v1.7', session_id: 's-2', agent: { name: 'lead' } },
    steps: [
      { step_id: 1, source: 'agent', message: 'Earlier.', is_copied_context: true },
      { step_id: 2, source: 'agent', message: 'The end', metrics: { prompt_tokens: 5, completion_tokens: 5 } },
    ],
  };
  const events = eventsOfFiles({ 'x/children/b.json': b, 'x/crashed.json': crashed, 'x/more.json': more });
  const paths = events.flatMap((event) =>
    event.kind === 'instance.queued' ? [`${event.path} ${event.callId ?? ''}`] : [],
  );
  expect(paths).toEqual(['lead ', 'lead/worker[1] c1', 'lead/worker[2] c2']);
  expect(events.at(-1)).toMatchObject({ answer: 'The end', usage: { inputTokens: 112, outputTokens: 28 } });
  const last = events.at(-1);
  expect(last?.kind === 'run.finished' && last.usage.recorded?.usd).toBeCloseTo(0.03);
});

test('two trajectories that call each other are drawn once each', () => {
  const calls = (id: string, path: string) =>
    named(id, {
      ...{ trajectory_id: id },
      steps: [
        { step_id: 1, source: 'user', message: id },
        {
          ...{ step_id: 2, source: 'agent', message: 'asks', metrics: { prompt_tokens: 10, completion_tokens: 1 } },
          tool_calls: [{ tool_call_id: 'c', function_name: 'ask', arguments: {} }],
          ...refTo(path),
        },
      ],
    });
  const events = eventsOfFiles({ 'a.json': calls('a', 'b.json'), 'b.json': calls('b', 'a.json') });
  expect(events.flatMap((event) => (event.kind === 'instance.queued' ? [event.path] : []))).toEqual(['a', 'a/b[1]']);
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 20, outputTokens: 2, modelCalls: 2 } });
  const inner = events.find((event) => event.kind === 'tool.started' && event.path.endsWith('b[1]'));
  expect(inner?.imported?.attributes).toMatchObject({
    child_trajectory_drawn_elsewhere: [{ trajectory_path: 'a.json' }],
  });
  expect(JSON.stringify(events)).not.toContain('not_imported');
});
