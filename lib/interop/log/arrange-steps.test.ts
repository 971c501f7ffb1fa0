import { expect, test, vi } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import { type AssistantMessage, noUsage } from '@/lib/runtime/record/messages';
import { arrangeSteps } from './arrange-steps';
import type { ImportedKind, ImportedStep } from './imported-step';
import { StepFamily } from './step-family';

const step = (id: string, parent: string | undefined, kind: ImportedKind, more: Partial<ImportedStep> = {}) =>
  ({
    ...{ id, parent, kind, name: id, original: id, start: 0, end: 10, outcome: 'ok', rest: {}, estimated: [] },
    ...more,
  }) satisfies ImportedStep;

const placesOf = (steps: readonly ImportedStep[]) =>
  arrangeSteps(steps).map(({ id, parent }) => `${parent ?? 'top'} > ${id}`);

test('a call of an agent without a span that is inside of another call of it stays there', () => {
  const steps = [
    step('task', undefined, 'tool'),
    step('a', 'task', 'model', { subagent: 'sub-1', original: 'chat' }),
    step('b', 'a', 'model', { subagent: 'sub-1', original: 'chat', start: 2 }),
  ];
  expect(placesOf(steps)).toEqual(['top > task', 'task/sub-1 > a', 'a > b', 'task > task/sub-1']);
});

test('a model call takes the calls of the step around it, and keeps its thinking, its reason to stop and its tools', () => {
  const toolCalls = [{ id: brandAs<CallId>('c1'), name: 'search', argumentsText: '{}' }];
  const around = { role: 'assistant', content: [], toolCalls, stopReason: 'tool_use' } as const;
  const text = [{ type: 'text', text: 'Hm.' }] as const;
  const own = { role: 'assistant', content: text, reasoning: 'Well', toolCalls: [], stopReason: 'max_tokens' } as const;
  const call = (message: AssistantMessage, more: Partial<ImportedStep>) => {
    const loop = step('loop', 'lead', 'model', {
      isNoise: true,
      message: around,
      request: { instruction: '', tools: [], added: [] },
      ...more,
    });
    const steps = [
      step('lead', undefined, 'agent'),
      loop,
      step('chat', 'loop', 'model', { message, tools: ['search'] }),
    ];
    const [, { message: shown, tools } = {}] = arrangeSteps(steps);
    return { shown, tools };
  };
  expect(call(own, {})).toEqual({ shown: { ...own, toolCalls }, tools: ['search'] });
  const ended = call({ ...own, stopReason: 'end_turn' }, { tools: ['find'] });
  expect(ended).toEqual({ shown: { ...own, toolCalls, stopReason: 'tool_use' }, tools: ['search'] });
});

test('work of a framework that failed by itself stays, also after a failure inside that was dealt with', () => {
  const failed = (message: string) => ({ outcome: 'failed', error: { code: 'failed', message } }) as const;
  const kept = (turn: Partial<ImportedStep>, tool: Partial<ImportedStep>, answer: Partial<ImportedStep>) =>
    arrangeSteps([
      step('lead', undefined, 'agent'),
      step('turn', 'lead', 'step', { isNoise: true, ...turn }),
      step('search', 'turn', 'tool', { end: 4, ...tool }),
      step('chat', 'turn', 'model', { start: 5, end: 9, ...answer }),
    ]).some(({ id }) => id === 'turn');
  const limit = failed('Max turns (1) exceeded');
  expect(kept(limit, {}, {})).toBe(true);
  expect(kept(limit, failed('No such page'), {})).toBe(true);
  expect(kept(limit, failed('No such page'), failed('Rate limit'))).toBe(false);
  expect(kept(failed('Error: No such page'), failed('No such page'), {})).toBe(false);
  expect(kept({}, failed('No such page'), {})).toBe(false);
  // The answer asks for the tool, which fails last. A short message is part of many others.
  const last = { start: 4, end: 9 };
  expect(kept(limit, { ...last, ...failed('No such page') }, { start: 0, end: 3 })).toBe(true);
  expect(kept(failed('Error: Max turns (1) exceeded'), failed('Error'), {})).toBe(true);
  const same = (own: string, tool: string) => !kept(failed(own), { ...last, ...failed(tool) }, { start: 0, end: 3 });
  expect(same('ToolError: gone', 'gone')).toBe(true);
  const stack = (line: number) => `ToolError('gone')Traceback (most recent call last):\n  File "a.py", line ${line}`;
  expect(same(stack(1), stack(2))).toBe(true);
  expect(same('Traceback (most recent call last): a', 'Traceback (most recent call last): b')).toBe(false);
});

/** Counts how often the start of a step is read. */
function counting(): { readonly count: () => number; readonly counted: (step: ImportedStep) => ImportedStep } {
  let reads = 0;
  const counted = ({ start, ...others }: ImportedStep): ImportedStep => ({
    ...others,
    get start() {
      reads += 1;
      return start;
    },
  });
  return { count: () => reads, counted };
}

const call = (index: number, by: string, start: number) =>
  step(`${by}${index}`, 'lead', 'model', {
    ...{ by, model: 'm', usage: { ...noUsage, inputTokens: 7, outputTokens: 1 }, start, end: start + 1 },
  });

test('calls that two instrumentations recorded beside each other become one, each with its own record', () => {
  const steps = [
    step('lead', undefined, 'agent', { end: 1_000 }),
    ...[0, 1, 2].flatMap((index) => [call(index, 'a', index * 100), call(index, 'b', index * 100)]),
  ];
  const folded = arrangeSteps(steps).map(({ id, rest }) => [id, JSON.stringify(rest).match(/"span_id":"\w+"/g)]);
  expect(folded).toEqual([
    ['lead', null],
    ['b0', ['"span_id":"a0"']],
    ['b1', ['"span_id":"a1"']],
    ['b2', ['"span_id":"a2"']],
  ]);
});

test.each<[string, (index: number) => ImportedStep]>([
  ['of one instrumentation', (index) => call(index, 'a', index * 10)],
  ['that a second one recorded later', (index) => call(index, index % 2 === 0 ? 'a' : 'b', index * 10)],
  ['that a second one recorded too', (index) => call(index, index % 2 === 0 ? 'a' : 'b', Math.floor(index / 2) * 10)],
])('equal calls %s are looked at some times, however many there are', (_, stepAt) => {
  const { count, counted } = counting();
  arrangeSteps([
    step('lead', undefined, 'agent', { end: 1e6 }),
    ...Array.from({ length: 2_000 }, (__, index) => counted(stepAt(index))),
  ]);
  expect(count() / 2_000).toBeLessThan(40);
});

test('what is inside of a framework’s work moves once, however deep that work is', () => {
  const move = vi.spyOn(StepFamily.prototype, 'move');
  const chain = Array.from({ length: 200 }, (_, index) =>
    step(`n${index}`, index === 0 ? 'lead' : `n${index - 1}`, 'step', { isNoise: true }),
  );
  const calls = Array.from({ length: 200 }, (_, index) => step(`t${index}`, 'n199', 'tool'));
  const [lead, ...others] = arrangeSteps([step('lead', undefined, 'agent'), ...chain, ...calls]);
  const moves = move.mock.calls.length;
  move.mockRestore();
  expect(moves).toBeLessThan(500);
  expect(others.map(({ id, parent }) => [id, parent])).toEqual(calls.map(({ id }) => [id, 'lead']));
  expect(JSON.stringify(lead?.rest).match(/"span_id":"n\d+"/g)).toHaveLength(200);
});
