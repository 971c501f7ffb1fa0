import { expect, test } from 'vitest';
import { addingCommands, canvasCommands, editorCommands, isPossible } from './editor-commands';

const all = [...editorCommands, ...addingCommands, ...canvasCommands];

test('no two commands have the same name or the same keys', () => {
  const names = all.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  const keys = all.map((command) => command.keys).filter((each) => each !== '');
  expect(keys).toEqual([...new Set(keys)]);
});

test('a command is offered to those who have its right, and while enough is selected', () => {
  const offered = (rights: Parameters<typeof isPossible>[1], selection: number) =>
    all.filter((command) => isPossible(command, rights, selection)).map(({ id }) => id);
  const forReaders = offered(['read'], 0);
  expect(forReaders).toContain('find');
  for (const id of ['save', 'run', 'add', 'add agent', 'add chain', 'rename', 'fit-selection']) {
    expect(forReaders).not.toContain(id);
  }
  expect(offered(['read', 'run'], 0)).toContain('run');
  expect(offered(['read', 'run', 'edit'], 1)).toEqual(expect.arrayContaining(['rename', 'remove', 'duplicate']));
  expect(offered(['read', 'run', 'edit'], 2)).not.toContain('rename');
  expect(offered(['read'], 2)).not.toContain('duplicate');
});
