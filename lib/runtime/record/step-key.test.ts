import { expect, test } from 'vitest';
import { brandAs, type InstancePath } from '@/lib/base/ids';
import {
  callAround,
  hookPlace,
  isSample,
  isStepOf,
  keyInCall,
  ordinalOf,
  retryOf,
  sampleKey,
  stepKey,
} from './step-key';

const lead = brandAs<InstancePath>('lead');
const call = stepKey(lead, 't', 7);

test('a step within a tool call names its call, its retries and its place', () => {
  expect(keyInCall(call, '')).toBe('lead#t7');
  expect(keyInCall(call, '', 1)).toBe('lead#t7.h1');
  expect(keyInCall(call, retryOf(retryOf('', 2), 3), 2)).toBe('lead#t7.r2.r3.h2');
  expect(retryOf('.r2', 1)).toBe('.r2');
  expect(sampleKey(call, 1)).toBe('lead#t7.s1');
});

test.each([
  { step: 'lead#m3', around: undefined, sample: false, place: 0, ordinal: 3 },
  { step: 'lead#s1', around: undefined, sample: false, place: 0, ordinal: 1 },
  { step: 'lead/kid[2]#t7', around: undefined, sample: false, place: 0, ordinal: 7 },
  { step: 'lead#t7.h1', around: 'lead#t7', sample: false, place: 1, ordinal: undefined },
  { step: 'lead#t7.r2.h12', around: 'lead#t7', sample: false, place: 12, ordinal: undefined },
  { step: 'lead#t7.s1', around: 'lead#t7', sample: true, place: 0, ordinal: undefined },
])('$step is read back', ({ step, around, sample, place, ordinal }) => {
  expect([callAround(step), isSample(step), hookPlace(step), ordinalOf(step)]).toEqual([
    around,
    sample,
    place,
    ordinal,
  ]);
});

test('the steps of a child are not those of its parent', () => {
  expect(isStepOf(call, lead)).toBe(true);
  expect(isStepOf('lead/kid[1]#t1', lead)).toBe(false);
});
