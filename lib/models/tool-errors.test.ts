import { describe, expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import { nameModel } from '@/lib/cards/models/name-model';
import { settingsSchema } from '@/lib/cards/settings';
import type { Message, ToolResult } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { modelsWith, officialDialect } from '@/lib/testing/models-with';
import { ask, brief, sampleRequest, userMessage } from '@/lib/testing/sample-request';
import { requestBody, wireTools } from './openai-request';

const failed: ToolResult = { content: [{ type: 'text', text: 'The file is away.' }], isError: true };
const withData: ToolResult = {
  content: [{ type: 'text', text: 'Error: the file is away.' }],
  isError: true,
  structuredContent: { why: 'away' },
};
const empty: ToolResult = { content: [], isError: true };

const asked = (result: ToolResult): Message[] => [
  userMessage('go'),
  {
    role: 'assistant',
    content: [],
    toolCalls: [{ id: brandAs('c1'), name: 'read', argumentsText: '{}' }],
    stopReason: 'tool_use',
  },
  { role: 'tool', results: [{ callId: brandAs('c1'), result }] },
];

const settings = settingsSchema.parse({ version: 1, scripts: { lead: [{ turns: [{ text: 'read {{result}}' }] }] } });
const clock = fakeClock();
const models = modelsWith({}, clock, { settings });

describe('every model reads that a tool failed', () => {
  test.each([
    [failed, 'Error: The file is away.'],
    [withData, 'Error: {"why":"away"}'],
    [empty, 'Error: '],
  ])('%j', async (result, text) => {
    const messages = asked(result);
    for (const model of ['passthrough', 'silent']) {
      expect(brief((await ask(models, sampleRequest({ model, messages }))).response)).toBe(text);
    }
    const slow = ask(models, sampleRequest({ model: 'slow', messages }));
    await clock.advance(3_000);
    expect(brief((await slow).response)).toBe(text);
    const scripted = await ask(models, sampleRequest({ model: 'script', messages }));
    expect(brief(scripted.response)).toBe(`read ${text}`);
    const named = nameModel('openai.gpt-5-mini');
    if (!named.ok) throw new Error(named.error);
    for (const official of [true, false]) {
      const dialect = { ...officialDialect, official };
      const body = requestBody(sampleRequest({ messages }), named.value, wireTools([]), dialect);
      expect(JSON.parse(body.json)).toMatchObject({ messages: [{}, {}, {}, { role: 'tool', content: text }] });
    }
  });

  test('what worked is read as it is', async () => {
    const fine: ToolResult = { content: [{ type: 'text', text: 'The file is away.' }], isError: false };
    const { response } = await ask(models, sampleRequest({ model: 'passthrough', messages: asked(fine) }));
    expect(brief(response)).toBe('The file is away.');
  });
});
