import { expect, test } from 'vitest';
import { renamedAgentFile } from './agent-file';

test.each([
  ['the same name', 'team/writer.md', 'writer', 'author', 'team/author.md'],
  ['a YAML card', 'writer.yaml', 'writer', 'author', 'author.yaml'],
  ['small letters and hyphens', 'agent-cards/ny-manager.md', 'NY_Manager', 'LA_Manager', 'agent-cards/la-manager.md'],
  ['letters that no file has', 'a-b.md', 'a/b', 'c:d', 'c-d.md'],
  ['other case', 'writer.md', 'writer', 'Writer', 'Writer.md'],
])('the file follows its agent: %s', (_, file, from, to, expected) => {
  expect(renamedAgentFile(file, from, to)).toBe(expected);
});

test.each([
  ['a name that a person chose', 'team/the-writer.md', 'writer', 'author'],
  ['a number that the agent does not have', 'writer-2.md', 'writer', 'author'],
  ['a new name without a letter that fits', 'writer.md', 'writer', '///'],
  ['nothing changes', 'writer.md', 'writer', 'writer'],
])('the file stays: %s', (_, file, from, to) => {
  expect(renamedAgentFile(file, from, to)).toBeUndefined();
});
