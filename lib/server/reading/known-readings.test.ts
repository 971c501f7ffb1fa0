import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { createKnownReadings } from './known-readings';

const card = (name: string) => `---\nname: ${name}\n---\nWork.\n`;
const read = (known: ReturnType<typeof createKnownReadings>, files: Record<string, string>) =>
  readFolder(folderOf(files), undefined, known).cards[0];

test('a text that was read before is not read again, in whatever object it comes', () => {
  const known = createKnownReadings(1_000_000);
  const first = read(known, { 'agent-cards/a.md': card('a') });
  expect(first?.name).toBe('a');
  expect(read(known, { 'agent-cards/a.md': card('a') })).toBe(first);
  expect(read(known, { 'agent-cards/a.md': card('b') })?.name).toBe('b');
  // Without somebody who keeps readings nothing is kept.
  const files = { 'agent-cards/a.md': card('a') };
  expect(readFolder(folderOf(files)).cards[0]).not.toBe(readFolder(folderOf(files)).cards[0]);
});

test('a large text is not kept in place of many small ones', () => {
  const known = createKnownReadings(10_000);
  const small = read(known, { 'agent-cards/a.md': card('a') });
  read(known, { 'agent-cards/b.md': card('b') + 'long '.repeat(2_000) });
  expect(read(known, { 'agent-cards/a.md': card('a') })).toBe(small);
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i'])
    read(known, { [`agent-cards/${name}.md`]: card(name).padEnd(1_000) });
  expect(read(known, { 'agent-cards/a.md': card('a') })).not.toBe(small);
});
