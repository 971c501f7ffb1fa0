import { expect, test } from 'vitest';
import { scopeNames, scopesToChoose } from './scope-words';

test('only administrators are offered their scope, and scopes of the installation need a token for every project', () => {
  const ofProjects = ['read', 'run', 'answer', 'edit', 'review', 'manage'];
  expect(scopesToChoose(true, false)).toEqual([...ofProjects, 'create', 'administer', 'ingest']);
  expect(scopesToChoose(false, false)).toEqual([...ofProjects, 'create', 'ingest']);
  expect(scopesToChoose(true, true)).toEqual([...ofProjects, 'ingest']);
});

test('a list names scopes in plain words, in one order', () => {
  expect(scopeNames(['ingest', 'run', 'read'])).toBe('Read, Run, Send traces');
});
