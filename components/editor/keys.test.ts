import { expect, test } from 'vitest';
import { canvasCommands, editorCommands } from '@/lib/editor/editor-commands';
import { keyGroups } from './keys';

test('the keys that the palette shows beside commands are those of the list of keys', () => {
  const listed = new Set(keyGroups.flatMap(({ keys }) => keys.map(([key]) => key)));
  const shown = [...editorCommands, ...canvasCommands].flatMap(({ keys }) => (keys === '' ? [] : [keys]));
  expect(shown.filter((keys) => !listed.has(keys))).toEqual([]);
});
