import { expect, test } from 'vitest';
import { readDocument } from '@/lib/cards/read/read-field';
import { sharedEdits, sharedFields, sharedValue, type WrittenCard } from './shared-fields';

const cards = (fields: readonly string[]): WrittenCard[] =>
  fields.map((text, at) => {
    const file = `agent-cards/${at}.md`;
    return { file, document: readDocument(`---\nname: a${at}\n${text}---\nHelp.\n`, file) };
  });

const keys = (types: Parameters<typeof sharedFields>[0]) =>
  sharedFields(types).flatMap(({ fields }) => fields.map(({ path }) => path.join('.')));

test('agents share model, parameters and switches, and nothing that makes one of them this one', () => {
  const found = keys(['agent', 'agent']);
  expect(found).toEqual(
    expect.arrayContaining([
      'model',
      'request_params.temperature',
      'use_history',
      'request_params.parallel_tool_calls',
    ]),
  );
  for (const own of ['type', 'default', 'description', 'agents', 'servers', 'tool_hooks'])
    expect(found).not.toContain(own);
});

test('an agent and a router share fewer fields than two agents, an agent and a chain no model', () => {
  expect(keys(['agent', 'router'])).toContain('model');
  expect(keys(['agent', 'router']).length).toBeLessThan(keys(['agent', 'agent']).length);
  expect(keys(['agent', 'chain'])).not.toContain('model');
});

test('a value is the same or different, also where a card does not have it', () => {
  const three = cards([
    'model: haiku\nrequest_params: { maxTokens: 9 }\n',
    'model: haiku\nrequest_params:\n  max_tokens: 9\n',
    'model: haiku\n',
  ]);
  expect(sharedValue(three, ['model'])).toEqual({ is: 'same', value: 'haiku' });
  expect(sharedValue(three.slice(0, 2), ['request_params', 'max_tokens'])).toEqual({ is: 'same', value: 9 });
  expect(sharedValue(three, ['request_params', 'max_tokens'])).toEqual({ is: 'different' });
  expect(sharedValue(three, ['use_history'])).toEqual({ is: 'same', value: undefined });
});

test('edits write each card at the path that it has', () => {
  const two = cards(['request_params: { maxTokens: 9 }\n', '']);
  expect(sharedEdits(two, ['request_params', 'max_tokens'], 5)).toEqual([
    { file: 'agent-cards/0.md', edits: [{ op: 'set', path: ['request_params', 'maxTokens'], value: 5 }] },
    { file: 'agent-cards/1.md', edits: [{ op: 'set', path: ['request_params', 'max_tokens'], value: 5 }] },
  ]);
  expect(sharedEdits(two, ['model'], undefined)[1]).toEqual({
    file: 'agent-cards/1.md',
    edits: [{ op: 'remove', path: ['model'] }],
  });
});
