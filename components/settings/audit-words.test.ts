import { expect, test } from 'vitest';
import { auditActions } from '@/lib/base/audit';
import { auditGroups, auditSentence } from './audit-words';

test('every action is in one filter', () => {
  expect(auditGroups.flatMap(({ actions }) => actions).toSorted()).toEqual([...auditActions].toSorted());
});

test.each([
  ['item.answered', { decision: 'deny', tool: 'mail__send' }, 'denied mail__send'],
  ['item.answered', { decision: 'answer', kind: 'input' }, 'answered a question (input)'],
  ['grant.given', { tool: 'mail__send', scope: 'run' }, 'remembered an approval of mail__send for this run'],
  ['runs.binned', { deleted: 1 }, 'put a run into the bin'],
  ['runs.restored', { restored: 2 }, 'restored 2 runs from the bin'],
  ['runs.deleted', { deleted: 1 }, 'deleted a run for good'],
  ['later.action', { deleted: 1 }, 'later.action'],
])('%s %j: %s', (action, body, sentence) => {
  expect(auditSentence({ action, body: JSON.stringify(body) })).toBe(sentence);
});
