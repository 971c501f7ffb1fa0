import { expect, test } from 'vitest';
import { settingsSchema } from '@/lib/cards/settings';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { repairMessage } from '@/lib/runtime/record/repair-message';
import { fakeClock } from '@/lib/testing/fake-clock';
import { modelsWith } from '@/lib/testing/models-with';
import { ask, assistantMessage, brief, sampleRequest, toolMessage, userMessage } from '@/lib/testing/sample-request';

const settings = settingsSchema.parse({
  version: 1,
  scripts: {
    lead: [
      { when_input_contains: 'boom', turns: [{ error: 'overloaded' }] },
      {
        turns: [
          {
            text: 'Asking.',
            calls: [
              { tool: 'Writer', arguments: { message: 'for {{input}}', deep: [{ by: '{{instance}}' }] } },
              { tool: 'time__now' },
              { tool: 'now' },
              { tool: 'nobody' },
            ],
          },
          { text: 'Got {{result}} / {{result[2]}} / {{result[9]}}: {{results}}', delay_ms: 250 },
        ],
      },
    ],
    voter: [
      { when_instances: [1, 3], turns: [{ text: 'yes' }] },
      { when_instances: [2], when_input_contains: 'late', turns: [{ text: 'late no' }] },
      { turns: [{ text: 'no' }] },
    ],
    picky: [{ when_input_contains: 'x', turns: [{ text: 'x' }] }],
    structured: [
      { when_input_contains: 'JSON', turns: [{ text: 'none' }] },
      {
        when_input_contains: 'count',
        when_history_contains: 'before',
        turns: [{ text: 'one' }, { text: '{{input}}: 1' }],
      },
    ],
  },
});

const tool = (name: string, source: ToolDescriptor['source'], remoteName?: string): ToolDescriptor => ({
  name,
  description: '',
  inputSchema: { type: 'object' },
  source,
  ...(remoteName !== undefined && { remoteName }),
});
const tools = [tool('time__now', 'mcp', 'now'), tool('agent__Writer', 'agent')];
const clock = fakeClock();
const models = modelsWith({}, clock, { settings });
const script = { model: 'script', tools };

test('a turn asks for tools by surface name, bare child name or bare tool name, with unique ids', async () => {
  const { response, deltas } = await ask(models, sampleRequest({ ...script, text: 'NY', instanceName: 'lead[2]' }));
  expect(brief(response).split(' | ')).toEqual([
    'Asking.',
    'lead[2]-t1-c1=agent__Writer({"message":"for NY","deep":[{"by":"lead[2]"}]})',
    'lead[2]-t1-c2=time__now({})',
    'lead[2]-t1-c3=time__now({})',
    'lead[2]-t1-c4=nobody({})',
  ]);
  expect(deltas.join('')).toBe('Asking.');
  expect(response.ok && response.message.stopReason).toBe('tool_use');
});

test('the turn number picks the turn, results fill placeholders, and the delay is the clock’s', async () => {
  const messages = [userMessage('NY'), assistantMessage(''), toolMessage('one', 'two')];
  const pending = ask(models, sampleRequest({ ...script, turn: 2, messages }));
  await clock.advance(250);
  const { response, deltas } = await pending;
  expect(brief(response)).toBe('Got one / two / [no result 9]: one\ntwo');
  expect(deltas.length).toBeGreaterThan(3);
  expect(response.ok && response.firstTokenMs).toBe(250);
  expect(response.usage).toMatchObject({ inputTokens: 5, outputTokens: 10, modelCalls: 1 });
});

test.each([
  ['voter', 'yes'],
  ['voter[1]', 'yes'],
  ['voter[2]', 'no'],
  ['voter[3]', 'yes'],
  ['voter[3.2]', 'yes'],
  ['voter[12]', 'no'],
])('a script for some instances answers them alone: %s says %s', async (instanceName, said) => {
  const request = sampleRequest({ ...script, agentName: 'voter', instanceName, text: 'vote' });
  expect(brief((await ask(models, request)).response)).toBe(said);
});

test.each<[string, Parameters<typeof sampleRequest>[0], string]>([
  ['an error turn', { text: 'boom now' }, '! model_failed: overloaded'],
  [
    'past the last turn',
    { turn: 3 },
    "! script_exhausted: The script of agent 'lead' has 2 turns and was asked for turn 3. Add a turn, or let an earlier one answer without calls.",
  ],
  [
    'an agent without a script',
    { agentName: 'constructor' },
    "! script_missing: Agent 'constructor' has no script. Add one under scripts.constructor in callboard.yaml, or choose a model for the run.",
  ],
  [
    'no script that matches',
    { agentName: 'picky' },
    "! script_missing: No script of agent 'picky' matches its input. Add one under scripts.picky without a condition (when_…).",
  ],
])('%s fails with a clear error', async (_, changes, expected) => {
  expect(brief((await ask(models, sampleRequest({ ...script, ...changes }))).response)).toBe(expected);
});

test('an abort during the delay cancels the call', async () => {
  const control = new AbortController();
  const pending = ask(models, sampleRequest({ ...script, turn: 2 }), control.signal);
  control.abort();
  expect(brief((await pending).response)).toBe('! cancelled: The model call was cancelled.');
});

test('the model string chooses the model', async () => {
  const answers = await Promise.all(
    ['passthrough', 'fast-agent.silent', 'playback', 'openai.gpt-4o', 'sonnet', 'anthropic.claude'].map(async (model) =>
      brief((await ask(models, sampleRequest({ model }))).response).slice(0, 40),
    ),
  );
  expect(answers).toEqual([
    'hello',
    'hello',
    'HISTORY LOADED (1) messages',
    "! model_not_served: Model 'openai.gpt-4o",
    "! model_not_served: Model 'sonnet' is no",
    "! model_not_served: Model 'anthropic.cla",
  ]);
});

test('a script goes on with the session that a result names', async () => {
  const own = settingsSchema.parse({
    version: 1,
    scripts: { lead: [{ turns: [{ calls: [{ tool: 'Writer', arguments: { session_id: '{{session_id}}' } }] }] }] },
  });
  const request = sampleRequest({
    ...script,
    messages: [userMessage('go'), assistantMessage(''), toolMessage('session_id: s-1\n\nHello')],
  });
  const { response } = await ask(modelsWith({}, clock, { settings: own }), request);
  expect(brief(response)).toContain('agent__Writer({"session_id":"s-1"})');
});

test('the request for a better answer is not the input', async () => {
  const messages = [
    userMessage('before'),
    assistantMessage('yes'),
    userMessage('count'),
    assistantMessage('one'),
    repairMessage('it is not JSON'),
  ];
  const request = sampleRequest({ model: 'script', agentName: 'structured', turn: 2, messages });
  expect(brief((await ask(models, request)).response)).toBe('count: 1');
});

test('an integer beyond 2^53 in the arguments of a script is called with its digits', async () => {
  const scripts = { lead: [{ turns: [{ calls: [{ tool: 'show', arguments: { id: 9007199254740993n } }] }] }] };
  const large = modelsWith({}, clock, { settings: settingsSchema.parse({ version: 1, scripts }) });
  const { response } = await ask(large, sampleRequest({ ...script, text: 'x', instanceName: 'lead' }));
  expect(brief(response)).toContain('=show({"id":9007199254740993})');
});
