import { expect, test } from 'vitest';
import { namedBy } from './named-by';

const project = { project: 'p', projectName: 'Poems', places: ['main draft'] };
const [git, openai, far, mirror] = [
  { ...project, kind: 'server', name: 'git' } as const,
  { ...project, kind: 'provider', name: 'openai' } as const,
  { ...project, kind: 'agent', name: 'far' } as const,
  { ...project, kind: 'mirror', name: 'git.example.org', places: [] } as const,
];

test('a secret says what uses it, in which project, and how many more', () => {
  expect(namedBy([], true)).toBe('Not used now');
  expect(namedBy([git], true)).toBe('Used by server git (Poems)');
  expect(namedBy([git, openai], false)).toBe('Used by server git, models of openai');
  expect(namedBy([far, mirror, git, openai], false)).toBe(
    'Used by remote agent far, the mirror at git.example.org, server git and 1 more',
  );
});
