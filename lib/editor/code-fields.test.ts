import { expect, test } from 'vitest';
import { settingsWords } from '@/lib/cards/read/settings-words';
import { cardTree, configTree, fieldAt, settingsTree } from './code-fields';

test('every path that has words is in the schema of callboard.yaml', () => {
  const unknown = Object.keys(settingsWords).filter((path) => {
    const steps = path.split('.');
    const around = fieldAt(settingsTree(), steps.slice(0, -1));
    const last = steps.at(-1) ?? '';
    return last === '*' ? around?.each === undefined : around?.fields?.[last] === undefined;
  });
  expect(unknown).toEqual([]);
});

test('values come from the schema', () => {
  expect(fieldAt(settingsTree(), ['delegations', 'a', 'b', 'session'])?.options).toEqual([
    'none',
    'addressed',
    'reuse',
  ]);
  expect(fieldAt(settingsTree(), ['delegation_defaults', 'session'])).toMatchObject({
    text: expect.stringContaining('continue'),
    options: ['none', 'addressed', 'reuse'],
  });
  expect(fieldAt(settingsTree(), ['runtime_tools', 'files'])?.of).toBe('boolean');
  expect(fieldAt(settingsTree(), ['toolsets', 'a', 'delegation', 'allow_workers', '-'])?.of).toBe('agent');
  expect(fieldAt(settingsTree(), ['run_hooks', '-'])).toMatchObject({ of: 'middleware', fields: { clamp: {} } });
  expect(fieldAt(cardTree('agent'), ['tools', 'time', '-'])?.of).toBe('tool');
  expect(fieldAt(cardTree('agent'), ['agents', '-'])?.of).toBe('agent');
  expect(fieldAt(cardTree('chain'), ['servers'])).toBeUndefined();
  expect(fieldAt(configTree, ['mcp', 'servers', 'time', 'transport'])?.options).toEqual(['stdio', 'http', 'sse']);
});
