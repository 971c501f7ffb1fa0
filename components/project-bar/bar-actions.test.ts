import { expect, test } from 'vitest';
import type { ProjectAccess } from '@/lib/base/project-access';
import { rightsOfRole } from '@/lib/base/rights';
import { isOffered, morePlaces } from '@/lib/client/more-places';
import { barActions } from './bar-actions';

const access = (role: 'viewer' | 'editor' | 'reviewer' | 'admin', accounts = true): ProjectAccess => ({
  rights: rightsOfRole(role),
  role,
  ask: 'Ada',
  accounts,
});
const desk = { id: 'desk', draft: 'main' };
const names = (role: Parameters<typeof access>[0]) => barActions(desk, access(role), undefined).map(({ name }) => name);

test('everybody may export, and only those who may edit are offered to publish', () => {
  expect(names('viewer')).toEqual(['Export']);
  expect(names('editor')).toEqual(['Export', 'Publish']);
});

test('who may edit and not publish is told whom to ask', () => {
  const refusals = (role: 'editor' | 'reviewer') =>
    barActions(desk, access(role), undefined).map(({ refusal }) => refusal);
  expect(refusals('editor')).toEqual([undefined, expect.stringContaining('Ask Ada.')]);
  expect(refusals('reviewer')).toEqual([undefined, undefined]);
});

test('elsewhere the buttons lead to the editor, and there they act', () => {
  expect(barActions(desk, access('admin'), undefined).map(({ href }) => href)).toEqual([
    '/p/desk?open=export',
    '/p/desk?open=publish',
  ]);
  const songs = barActions({ id: 'desk', draft: 'songs' }, access('admin'), undefined);
  expect(songs.map(({ href }) => href)).toEqual([
    '/p/desk?draft=songs&open=export',
    '/p/desk?draft=songs&open=publish',
  ]);
  const done: string[] = [];
  const own = { onExport: () => done.push('export'), onPublish: () => done.push('publish'), isPublishing: true };
  const acting = barActions(desk, access('admin'), own);
  for (const { act } of acting) act?.();
  expect(done).toEqual(['export', 'publish']);
  expect(acting.map(({ href, busy }) => [href, busy])).toEqual([
    [undefined, undefined],
    [undefined, true],
  ]);
});

test('a person is not offered places that need another right, or accounts', () => {
  const offered = (given: ProjectAccess) => morePlaces.filter((place) => isOffered(place, given)).map(({ id }) => id);
  expect(offered(access('viewer'))).toEqual(['members', 'drafts', 'clone', 'mirror', 'import-report', 'rules']);
  expect(offered(access('admin', false))).toEqual(['drafts', 'clone', 'mirror', 'import-report', 'secrets', 'rules']);
});
