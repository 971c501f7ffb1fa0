import { describe, expect, it } from 'vitest';
import { brandAs, type InstancePath, type PendingId, type StepKey } from '@/lib/base/ids';
import type { PendingQuestion } from '@/lib/base/pending';
import { decidePending } from './decide-pending';
import { PendingResults } from './pending-results';
import {
  answeredWith,
  declined,
  extractSessionId,
  generateReasons,
  getSubAgentGenerateReason,
  isSubAgentResult,
} from './sub-agent-result';

const stored = (store: PendingResults) => PendingResults.from(JSON.parse(JSON.stringify(store.saved())));
const result = (id: string, text = id) => answeredWith({ id }, text);
const nothing = JSON.parse('null');

describe('collected results', () => {
  it('are kept in order, over several submits, and given as copies', () => {
    const store = new PendingResults();
    expect([store.isEmpty, store.of('a'), store.has('a'), store.sessionOf('a')]).toEqual([true, [], false, undefined]);
    store.setSession('a', 's1');
    store.add('a', [result('1'), result('2')]);
    store.add('a', [result('3')]);
    const copy = [...store.of('a')];
    copy.pop();
    expect(store.of('a').map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect([store.isEmpty, store.has('a'), store.sessionOf('a'), store.ids()]).toEqual([false, true, 's1', ['a']]);
  });

  it('no result before a session; another session drops what was collected, the same one does not', () => {
    const store = new PendingResults();
    expect(() => store.add('a', [result('1')])).toThrow('No pending result for tool: a');
    store.setSession('a', 's1');
    store.add('a', [result('1')]);
    store.setSession('a', 's1');
    expect(store.of('a')).toHaveLength(1);
    store.setSession('a', 's2');
    expect([store.sessionOf('a'), store.of('a')]).toEqual(['s2', []]);
  });

  it('null, nothing and empty ids are refused', () => {
    const store = new PendingResults();
    expect(() => store.setSession('', 's')).toThrow();
    expect(() => store.setSession('a', '')).toThrow();
    store.setSession('a', 's');
    for (const bad of [nothing, [], [nothing]]) expect(() => store.add('a', bad)).toThrow('This needs a result.');
    expect(store.of('a')).toEqual([]);
  });

  it('are removed one by one, for a delegation, and all', () => {
    const store = new PendingResults();
    store.setSession('a', 's');
    store.setSession('b', 't');
    store.add('a', [result('1'), result('2')]);
    store.drop('a', new Set(['1']));
    store.drop('nobody', new Set(['1']));
    expect(store.of('a').map(({ id }) => id)).toEqual(['2']);
    store.remove('a');
    store.remove('nobody');
    expect(store.ids()).toEqual(['b']);
    store.clear();
    expect(store.isEmpty).toBe(true);
  });

  it('are saved and read again, with texts, errors and sessions', () => {
    const store = new PendingResults();
    expect(stored(store).isEmpty).toBe(true);
    store.setSession('a', 's');
    store.setSession('b', 't');
    store.add('a', [result('1'), declined({ id: '2' }, 'No.')]);
    const again = stored(store);
    expect(again.saved()).toEqual(store.saved());
    expect(again.of('a')).toEqual([
      { id: '1', content: [{ type: 'text', text: '1' }] },
      { id: '2', content: [{ type: 'text', text: 'No.' }], isError: true },
    ]);
    expect(again.sessionOf('b')).toBe('t');
  });

  it('what is no saved result is left out without an error', () => {
    expect(PendingResults.from(undefined).isEmpty).toBe(true);
    expect(PendingResults.from([1, 2]).isEmpty).toBe(true);
    const read = PendingResults.from({
      a: { sessionId: 's', results: [{ id: 1 }, { id: 'x', content: 'text' }] },
      b: { results: [] },
    });
    expect(read.saved()).toEqual({ a: { sessionId: 's', results: [] } });
  });
});

describe('what a result says of itself', () => {
  const suspended = (reason: string) => ({
    id: 'c',
    meta: { suspended: true, subagent_session_id: 's', subagent_generate_reason: reason },
  });

  it('its session and its reason, also after it was stored as JSON', () => {
    for (const reason of generateReasons) {
      const one = suspended(reason);
      expect([isSubAgentResult(one), extractSessionId(one), getSubAgentGenerateReason(one)]).toEqual([
        true,
        's',
        reason,
      ]);
      expect(getSubAgentGenerateReason(JSON.parse(JSON.stringify(one)))).toBe(reason);
    }
  });

  it('nothing, for null, no metadata, other metadata and an empty session', () => {
    const others = [
      nothing,
      undefined,
      'text',
      {},
      { meta: nothing },
      { meta: { sessionId: 's' } },
      { meta: { subagent_session_id: '' } },
    ];
    for (const other of others) {
      expect([isSubAgentResult(other), extractSessionId(other), getSubAgentGenerateReason(other)]).toEqual([
        false,
        undefined,
        'MODEL_STOP',
      ]);
    }
    expect(getSubAgentGenerateReason(suspended('SOMETHING_ELSE'))).toBe('MODEL_STOP');
  });
});

describe('what becomes of a question when its delegation goes on', () => {
  const question = (fields: Partial<PendingQuestion>): PendingQuestion => ({
    item: brandAs<PendingId>('q'),
    path: brandAs<InstancePath>('lead/kid[1]'),
    step: brandAs<StepKey>('lead/kid[1]#t1'),
    what: 'approval',
    sentence: 'Send?',
    ...fields,
  });
  const stop = question({
    what: 'hook',
    arguments: {
      calls: [
        { id: 'c1', tool: 'send' },
        { id: 'c2', tool: 'book' },
      ],
    },
    form: { type: 'object', minProperties: 1, properties: { c1: { type: 'string' }, c2: { type: 'string' } } },
  });

  it('one result or many are put in, and results of other calls are left alone', () => {
    expect(decidePending(stop, [result('q/c1'), result('other')], true)).toMatchObject({
      decision: 'answer',
      content: { c1: { content: [{ type: 'text', text: 'q/c1' }], isError: false } },
    });
    expect(decidePending(stop, [result('q/c1'), declined({ id: 'q/c2' })], false)).toMatchObject({
      content: { c1: { isError: false }, c2: { isError: true } },
    });
    expect(decidePending(question({}), [result('other')], false)).toBeUndefined();
  });

  it('an empty list confirms it, or leaves it open if others of its delegation were decided', () => {
    expect(decidePending(stop, [], true)).toMatchObject({ decision: 'approve' });
    expect(decidePending(stop, [result('q/c1')], false)).toBeUndefined();
    expect(decidePending(question({}), [], true)).toMatchObject({ decision: 'approve' });
    expect(decidePending(question({}), [], false)).toBeUndefined();
    expect(decidePending(question({ what: 'input' }), [], true)).toBeUndefined();
  });

  it('a result for a call that needs consent declines it; its text is the reason', () => {
    expect(decidePending(question({}), [result('q', 'Done already.')], false)).toMatchObject({
      decision: 'deny',
      note: 'Done already.',
    });
    expect(decidePending(question({}), [declined({ id: 'q' })], false)).not.toHaveProperty('note');
  });

  it('a text is put into a form with one field, and read as JSON by another one', () => {
    const one = { type: 'object', properties: { answer: { type: 'string' } } };
    const content = (form: PendingQuestion['form'], text: string) =>
      decidePending(question({ what: 'external', ...(form && { form }) }), [result('q', text)], false)?.content;
    expect(content(one, 'Q3')).toEqual({ answer: 'Q3' });
    expect(content(one, '{"answer":"Q3"}')).toEqual({ answer: 'Q3' });
    expect(content({ type: 'object', properties: { a: { type: 'number' }, b: {} } }, '{"a":1}')).toEqual({ a: 1 });
    expect(content(undefined, 'Q3')).toBe('Q3');
  });
});
