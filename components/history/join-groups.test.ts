import { expect, it } from 'vitest';
import type { RunInfo } from '@/lib/client/run-info';
import { noUsage } from '@/lib/runtime/record/messages';
import { joinGroups } from './join-groups';

const run = (id: string): RunInfo => ({
  id,
  projectId: 'p',
  projectName: 'P',
  status: 'completed',
  entryAgent: 'lead',
  message: 'Go',
  model: undefined,
  correlationId: 'c',
  source: 'callboard',
  scripted: false,
  createdAt: 0,
  startedAt: 0,
  finishedAt: 1,
  answer: undefined,
  error: undefined,
  usage: noUsage,
  modelUsage: undefined,
  treeHash: 't',
});
const group = (correlationId: string, runCount: number, ...ids: string[]) => ({
  correlationId,
  runCount,
  runs: ids.map(run),
});

it('joins the pages of one group, each run once', () => {
  const pages = [group('x', 5, 'x5', 'x4'), group('x', 5, 'x4', 'x3')];
  expect(joinGroups(pages)).toEqual([group('x', 5, 'x5', 'x4', 'x3')]);
});

it('keeps a group that moved between two pages where it is newest', () => {
  const pages = [group('y', 1, 'y1'), group('x', 1, 'x1'), group('y', 1, 'y1'), group('z', 1, 'z1')];
  expect(joinGroups(pages)).toEqual([group('y', 1, 'y1'), group('x', 1, 'x1'), group('z', 1, 'z1')]);
});
