import { expect, test } from 'vitest';
import { differenceKinds } from '@/lib/trace/compare/compare-runs';
import { deltaCost, deltaCount, deltaTime, differenceWords } from './compare-words';

test('what differs has words for the kind of the step', () => {
  const words = (kind: string) => differenceKinds.map((what) => differenceWords(what, kind));
  expect(words('tool')).toEqual([
    'only in A',
    'only in B',
    'another step in its place',
    'other arguments',
    'other result',
  ]);
  expect(words('model').slice(3)).toEqual(['other request', 'other answer']);
  expect(words('instance').slice(3)).toEqual(['other input', 'other answer']);
  expect(words('hook').slice(3)).toEqual(['other arguments', 'other changes']);
});

test('a delta has a sign, and none is an equals sign', () => {
  expect([deltaTime(1_500_000), deltaTime(-300_000), deltaTime(0.4)]).toEqual(['+1.50 s', '−300 ms', '=']);
  expect([deltaCount(12_000), deltaCount(-3), deltaCount(0)]).toEqual(['+12k', '−3', '=']);
  expect([deltaCost(0.0123), deltaCost(-4.5), deltaCost(0), deltaCost(undefined)]).toEqual([
    '+$0.0123',
    '−$4.50',
    '=',
    '?',
  ]);
});

test('costs that differ are never equal, although both show as $0.0003 and $0.0004', () => {
  expect([deltaCost(0.00036 - 0.00034), deltaCost(-0.0000004)]).toEqual(['+$0.000020', '−$0.00000040']);
  expect(deltaCost(0.1 + 0.2 - 0.3)).toBe('=');
});
