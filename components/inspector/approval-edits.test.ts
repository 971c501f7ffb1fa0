import { expect, test } from 'vitest';
import { settingsName } from '@/lib/cards/file-role';
import { folderOf } from '@/lib/cards/files';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { fieldEdits } from '@/lib/editor/card-commands';
import { addEdit, moveEdit } from './list-edits';

const path = ['approvals', 'rules'];
const written = `version: 1
# What may run.
approvals:
  default: allow   # for now
  rules:
    # Mail is read by somebody.
    - { tools: ["mail__*"], effect: ask }  # all of it
    - tools: [pay]
      effect: deny # never
`;

/** The text after some edits of the form. */
function after(text: string, ...edits: readonly YamlEdit[]): string {
  return edits.reduce((now, edit) => {
    const result = fieldEdits(folderOf({ [settingsName]: now }), settingsName, [edit]);
    if (!result.ok) throw new Error(result.error.message);
    return String(result.value.get(settingsName) ?? now);
  }, text);
}

test('editing rules changes the lines of that rule alone, and adding and removing one gives the text back', () => {
  const rules = [{}, {}];
  const added = after(written, addEdit(path, rules, { tools: ['*'], effect: 'ask' }));
  expect(added.startsWith(written.trimEnd())).toBe(true);
  expect(after(added, { op: 'remove', path: [...path, 2] })).toBe(written);
  const changed = after(written, { op: 'set', path: [...path, 0, 'effect'], value: 'allow' });
  expect(changed).toBe(written.replace('effect: ask', 'effect: allow'));
  const limited = after(written, { op: 'set', path: [...path, 1, 'limit_s'], value: 60 });
  expect(limited.split('\n').filter((line) => !written.includes(line))).toEqual(['      limit_s: 60']);
});

test('a rule that is moved there and back is as it was, with its comments', () => {
  const moved = after(written, moveEdit(path, 0, 1));
  expect(moved.indexOf('[pay]')).toBeLessThan(moved.indexOf('mail__*'));
  for (const comment of ['# What may run.', '# for now', '# all of it', '# never']) expect(moved).toContain(comment);
  expect(after(moved, moveEdit(path, 1, 0))).toBe(written);
});

test('the first rule of a project makes the file', () => {
  const result = fieldEdits(folderOf({ 'a.md': 'a' }), settingsName, [
    addEdit(path, undefined, { tools: ['*'], effect: 'ask' }),
  ]);
  const text = result.ok ? String(result.value.get(settingsName)) : '';
  expect(text).toContain('version: 1');
  expect(text).toMatch(/rules:\n\s+- tools:/);
});
