import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { agentCard } from '@/lib/testing/graph-of';
import { completeInstruction } from './instruction-completion';

const folder = folderOf({ 'rules.md': 'Be kind.', 'notes/tone.txt': 'Calm.', 'fast-agent.secrets.yaml': 'x: y' });
const card = agentCard('a', { requestParams: { template_vars: { team: 'blue' } } });

/** `|` is the cursor. */
function complete(written: string) {
  const at = written.indexOf('|');
  return completeInstruction(written.replace('|', ''), at, card, folder);
}

test('after two braces come the values of the card, then the placeholders', () => {
  const found = complete('Today {{cu|');
  expect(found?.from).toBe(8);
  expect(found?.options[0]).toEqual({ label: 'team', detail: 'template_vars: blue', insert: 'team}}' });
  const date = found?.options.find(({ label }) => label === 'currentDate');
  expect(date).toEqual({ label: 'currentDate', detail: 'The date, such as 17 December 2025', insert: 'currentDate}}' });
  expect(found?.options.at(-1)).toMatchObject({ label: 'url:', insert: 'url:' });
});

test('braces that are there already are not written twice', () => {
  expect(complete('{{|}} and more')?.options[0]?.insert).toBe('team');
});

test('after file: come the text files, without secrets', () => {
  const found = complete('Read {{file:no|');
  expect(found?.from).toBe(12);
  expect(found?.options.map(({ insert }) => insert)).toEqual(['notes/tone.txt}}', 'rules.md}}']);
});

test('elsewhere there is nothing to complete', () => {
  for (const text of ['Hello|', '\\{{cu|', '{{currentDate}} |', '{ |', '{{url:https|', '{{a\nb|']) {
    expect(complete(text), text).toBeUndefined();
  }
});
