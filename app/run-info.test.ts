import { expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import { noUsage } from '@/lib/runtime/record/messages';
import { toRunInfo } from './run-info';

it('hands a page text that HTML says in the same way', () => {
  const info = toRunInfo({
    id: brandAs('r1'),
    projectId: brandAs('p1'),
    projectName: 'Office',
    treeHash: brandAs('t1'),
    revision: undefined,
    label: undefined,
    startedBy: undefined,
    trigger: undefined,
    score: undefined,
    draft: 'main',
    again: undefined,
    status: 'failed',
    entryAgent: 'lead',
    message: 'cut \ud83d',
    model: undefined,
    correlationId: brandAs('c1'),
    source: 'callboard',
    scripted: true,
    createdAt: new Date(0),
    startedAt: undefined,
    finishedAt: undefined,
    answer: 'a lone \ud800 surrogate',
    error: { code: 'x', message: 'half \udc00' },
    usage: noUsage,
    failedServers: undefined,
    modelUsage: undefined,
  });
  expect([info.message, info.answer, info.error?.message]).toEqual([
    'cut \ufffd',
    'a lone \ufffd surrogate',
    'half \ufffd',
  ]);
});
