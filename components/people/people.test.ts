import { expect, test } from 'vitest';
import { brandAs, type InstancePath, type PendingId, type StepKey } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { PendingDetail, PendingInfo } from '@/lib/base/pending-info';
import { hostOf, secretFields } from '@/lib/base/server-form';
import { argumentFields, blankOf, changedFields, withChoice, withField } from './argument-fields';
import { approvalsInRun } from './earlier-answers';
import { inboxAddress, inboxPlace } from './inbox-place';
import { newQuestions, noticeWords } from './notice-words';
import { batchOf, joinsBatch } from './question-batch';
import { questionAction } from './question-keys';
import {
  aboutWords,
  endWords,
  grantWords,
  groupByRun,
  happensWords,
  itemAfterAnswer,
  itemBeside,
  pathWords,
  reasonWords,
  ruleWords,
} from './question-words';

const key = (name: string, more: Partial<Parameters<typeof questionAction>[0]> = {}) =>
  questionAction({ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...more });

test('keys answer and walk; a held key and a shortcut of the browser answer nothing', () => {
  expect(['a', 'A', 'e', 'd', 'j', 'k', '?', 'x'].map((name) => key(name))).toEqual([
    ...['approve', 'approve', 'edit', 'deny', 'next', 'previous', 'help', 'select'],
  ]);
  expect(key('A', { shiftKey: true })).toBe('remember');
  expect([key('a', { repeat: true }), key('d', { repeat: true }), key('j', { repeat: true })]).toEqual([
    ...[undefined, undefined, 'next'],
  ]);
  expect([key('a', { ctrlKey: true }), key('d', { metaKey: true }), key('e', { altKey: true })]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});

const form = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'Who gets it.' },
    copies: { type: 'integer', default: 1 },
    tone: { type: 'string', enum: ['plain', 'formal'] },
  },
  required: ['to'],
};

test('a form has the fields of the schema, then those that only the arguments have', () => {
  const fields = argumentFields(form, { to: 'ann', extra: [1] });
  expect(fields.map(({ name, isText, isRequired, hint, value }) => [name, isText, isRequired, hint, value])).toEqual([
    ['to', true, true, 'Who gets it.', 'ann'],
    ['copies', false, false, undefined, undefined],
    ['tone', true, false, undefined, undefined],
    ['extra', false, false, undefined, [1]],
  ]);
  expect(argumentFields(undefined, {})).toEqual([]);
  expect(argumentFields({ properties: 'no' }, { a: null })).toHaveLength(1);
});

test('an empty form begins with what must be there and with defaults', () => {
  expect(blankOf(form)).toEqual({ to: '', copies: 1 });
});

test('an optional field that is emptied is left out, and text that is not JSON changes nothing', () => {
  const copies = { name: 'copies', isText: false, isNumber: true, isRequired: false };
  expect(withField({ to: 'ann', copies: 1 }, copies, '')).toEqual({ to: 'ann' });
  expect(withField({ to: 'ann' }, copies, '[2')).toBeUndefined();
  expect(withField({ to: 'ann' }, copies, '2')).toEqual({ to: 'ann', copies: 2 });
  expect(withField({ to: 'ann' }, { name: 'to', isText: true, isNumber: false, isRequired: true }, '')).toEqual({
    to: '',
  });
});

test('a large integer, which is a text in a browser, can become any number', () => {
  const [, copies] = argumentFields(form, { to: 'ann', copies: '9007199254740993' });
  const typed = (text: string) => copies && withField({}, copies, text);
  expect(typed('500')).toEqual({ copies: 500 });
  expect(typed('-')).toEqual({ copies: '-' });
  expect(typed('9007199254740995')).toEqual({ copies: '9007199254740995' });
  const [to] = argumentFields(form, { to: '9007199254740993' });
  expect(to && withField({}, to, '500')).toEqual({ to: '500' });
});

test('says which arguments were changed', () => {
  expect(changedFields({ a: 1, b: { c: 2 }, d: 3 }, { a: 1, b: { c: 3 }, e: 4 })).toEqual(['b', 'd', 'e']);
});

test('a remembered approval is said in words before it is given', () => {
  const tool = { name: 'mail__send', source: 'mcp', serverName: 'mail', schemaHash: 'x' } as const;
  expect(ruleWords({ tool }, { scope: 'run', match: 'equal' })).toBe(
    "Calls of 'mail__send' of server 'mail' with exactly these arguments, in this run, run without a question.",
  );
  expect(ruleWords({ tool }, { scope: 'project', match: { to: '*@example.org' } })).toBe(
    "Calls of 'mail__send' of server 'mail' where to is *@example.org, by any agent of the project, in any run, run without a question.",
  );
});

test('a remembered approval says what runs without a question', () => {
  const grant = { tool: 'mail__send', serverName: 'mail', scope: 'run' } as const;
  expect(grantWords({ ...grant, argumentsHash: 'h' })).toBe(
    "Calls of 'mail__send' of server 'mail' with exactly these arguments, in this run.",
  );
  expect(grantWords({ ...grant, scope: 'agent', agent: 'clerk', patterns: { to: '*@example.org' } })).toBe(
    "Calls of 'mail__send' of server 'mail' where to is *@example.org, by 'clerk', in any run of the project.",
  );
  expect(grantWords({ tool: 'pay', scope: 'project' })).toBe(
    "Calls of 'pay' with any arguments, by any agent of the project, in any run.",
  );
});

test('a hook that stopped says what an answer and a reason do', () => {
  const stop = {
    item: brandAs<PendingId>('item'),
    path: brandAs<InstancePath>('lead'),
    step: brandAs<StepKey>('lead#h1'),
    sentence: 'lead stops',
    what: 'hook',
  } as const;
  const said = (shown?: JsonObject) =>
    happensWords({ question: { ...stop, ...(shown && { arguments: shown }) } }).replace(/^.* stopped it\. /, '');
  expect(said({ calls: [] })).toBe('Calls that you answer do not run.');
  expect(said({ results: [] })).toBe('An answer is what the model reads next.');
  expect(said()).toBe('An answer replaces what it says.');
  expect([reasonWords(stop), aboutWords(stop)]).toEqual([
    'The turn of the agent ends with it.',
    'Where the hook stopped',
  ]);
  expect([reasonWords({ what: 'approval' }), aboutWords({ what: 'approval' })]).toEqual([
    'The model reads it.',
    'Arguments',
  ]);
});

test('a late answer is told who was first', () => {
  expect(endWords({ status: 'answered', answer: { decision: 'deny', by: 'Ann', via: 'web' } })).toBe(
    'Denied by Ann, web.',
  );
  expect([endWords({ status: 'open' }), endWords({ status: 'expired' })]).toEqual([
    undefined,
    'Nobody answered in time.',
  ]);
  expect(pathWords('lead/clerk[2]')).toBe('lead → clerk[2]');
});

const item = (id: string, run: string, status: PendingInfo['status'] = 'open'): PendingInfo => ({
  ...{ id, run, status, kind: 'approval', project: 'p', projectName: 'P', path: 'lead', step: 'lead#t1' },
  ...{ sentence: 'Call', askedAt: 1 },
});

test('walks the list, and after an answer goes to the next open question', () => {
  const items = [item('a', 'r1'), item('b', 'r2', 'answered'), item('c', 'r1'), item('d', 'r2')];
  expect(groupByRun(items).map((group) => group.map(({ id }) => id))).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
  expect([
    itemBeside(items, 'a', 1),
    itemBeside(items, 'a', -1),
    itemBeside(items, 'd', 1),
    itemBeside(items, 'x', 1),
  ]).toEqual([...['b', 'a', 'd', 'a']]);
  expect([
    itemAfterAnswer(items, 'a'),
    itemAfterAnswer(items, 'd'),
    itemAfterAnswer([items[0] ?? item('a', 'r')], 'a'),
  ]).toEqual([...['c', 'c', undefined]]);
});

test('the address keeps what the inbox shows', () => {
  const place = inboxPlace(new URLSearchParams('status=answered&run=r1&item=i1&x=1'));
  expect(place).toEqual({ status: 'answered', run: 'r1', project: undefined, item: 'i1' });
  expect(inboxAddress(place)).toBe('/inbox?status=answered&run=r1&item=i1');
  expect(inboxAddress(inboxPlace(new URLSearchParams('status=odd')))).toBe('/inbox');
});

test('a form of a server has its choices by name, yes and no, and its defaults', () => {
  const fields = {
    type: 'object',
    properties: {
      size: {
        type: 'string',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
        default: 's',
      },
      tone: { type: 'string', enum: ['a', 'b'], enumNames: ['Plain'] },
      sure: { type: 'boolean', default: false },
      days: { type: 'integer', minimum: 1, maximum: 9, description: 'How long.' },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
      when: { type: 'string', format: 'date' },
    },
    required: ['size'],
  };
  const read = argumentFields(fields, {});
  expect(read.map(({ name, choices, isList, hint }) => [name, choices?.map((one) => one.label), isList, hint])).toEqual(
    [
      ['size', ['Small', 'Large'], false, undefined],
      ['tone', ['Plain', 'b'], false, undefined],
      ['sure', ['Yes', 'No'], false, undefined],
      ['days', undefined, false, 'How long. At least 1. At most 9.'],
      ['tags', ['x', 'y'], true, undefined],
      ['when', undefined, false, 'A date such as 2026-11-23.'],
    ],
  );
  expect(blankOf(fields)).toEqual({ size: 's', sure: false });
  expect(withChoice({ size: 's', tone: 'a' }, 'tone', undefined)).toEqual({ size: 's' });
  expect(withChoice({ size: 's' }, 'sure', true)).toEqual({ size: 's', sure: true });
  expect(secretFields({ properties: { apiKey: {}, city: {}, card_pin: {} } })).toEqual(['apiKey', 'card_pin']);
  // Letters of another script are shown as the browser asks for them.
  expect(hostOf('https://p\u0430ypal.com/login')).toBe('xn--pypal-4ve.com');
});

const detail = (id: string, args: Json, more: Partial<PendingInfo> = {}): PendingDetail => ({
  ...item(id, 'run-a'),
  tool: 'send',
  question: {
    ...{ item: brandAs<PendingId>(id), path: brandAs<InstancePath>('lead'), step: brandAs<StepKey>(id) },
    ...{ what: 'approval', sentence: 'Call', arguments: args },
    tool: { name: 'send', source: 'function', schemaHash: 's' },
  },
  decisions: ['approve', 'edit', 'deny'],
  ...more,
});

test('questions of one tool are put side by side: what is equal once, what differs in columns', () => {
  const batch = batchOf([
    detail('1', { to: 'ann', text: 'Hello', copies: 1 }),
    detail('2', { to: 'bob', text: 'Hello', copies: 2 }),
    detail('3', { to: 'cy' }),
    detail('4', { to: 'dan', text: 'Hello', copies: 1 }, { status: 'answered' }),
  ]);
  expect(batch).toMatchObject({ ended: 1, different: 1, decisions: ['approve', 'deny'], columns: ['to', 'copies'] });
  expect(batch.items.map(({ id }) => id)).toEqual(['1', '2']);
  expect(batch.rows).toEqual([
    ['ann', '1'],
    ['bob', '2'],
  ]);
  expect(batch.equal).toContainEqual(['text', 'Hello']);
  expect(batchOf([])).toMatchObject({ items: [], columns: [], equal: [] });
});

test('only waiting questions of one tool and one project are selected together', () => {
  const first = detail('1', {});
  expect(joinsBatch([], first)).toBe(true);
  expect(joinsBatch([first], detail('2', {}))).toBe(true);
  expect(joinsBatch([first], { ...detail('2', {}), tool: 'other' })).toBe(false);
  expect(joinsBatch([first], { ...detail('2', {}), project: 'other' })).toBe(false);
  expect(joinsBatch([], { ...first, status: 'answered' })).toBe(false);
});

test('approvals of people in the run count towards a rule, and those of rules and of other runs do not', () => {
  const answered = (id: string, run: string, by: string, decision: 'approve' | 'deny' = 'approve'): PendingInfo => ({
    ...item(id, run, 'answered'),
    answer: { decision, by, via: 'web' },
  });
  const answers = [
    ...[answered('1', 'a', 'ana'), answered('2', 'a', 'ben'), answered('3', 'b', 'ana')],
    ...[answered('4', 'a', 'grant'), answered('5', 'a', 'policy'), answered('6', 'a', 'ana', 'deny')],
  ];
  expect(approvalsInRun(answers, 'a')).toBe(2);
});

test('only waiting questions that were asked since the last look are told, without their arguments', () => {
  const at = (id: string, askedAt: number, status: PendingInfo['status'] = 'open') => ({
    ...item(id, 'r', status),
    askedAt,
  });
  const items = [at('d', 40), at('c', 30, 'answered'), at('b', 20), at('a', 10)];
  expect(newQuestions(items, 10).map(({ id }) => id)).toEqual(['b', 'd']);
  expect(newQuestions(items, 40)).toEqual([]);
  expect(noticeWords({ ...item('a', 'r'), path: 'lead/clerk[2]', tool: 'send', sentence: 'Call with secret' })).toBe(
    'lead → clerk[2] asks about send (P)',
  );
});
