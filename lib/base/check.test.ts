import { expect, test } from 'vitest';
import { isNumber, isText, listOf, optional, shapeOf } from './check';

interface Person {
  readonly name: string;
  readonly age?: number;
}

const isPerson = shapeOf<Person>({ name: isText, age: optional(isNumber) });

test('an object has its form if its named fields pass, whatever else it has', () => {
  expect(isPerson({ name: 'Ada' })).toBe(true);
  expect(isPerson({ name: 'Ada', age: 36, more: null })).toBe(true);
});

test.each([[null], ['Ada'], [[]], [{}], [{ name: 1 }], [{ name: 'Ada', age: null }], [{ name: 'Ada', age: '36' }]])(
  '%j has not the form of a person',
  (value) => {
    expect(isPerson(value)).toBe(false);
  },
);

test('a list has its form if each of its values has', () => {
  expect(listOf(isPerson)([{ name: 'Ada' }, { name: 'Bob' }])).toBe(true);
  expect(listOf(isPerson)([{ name: 'Ada' }, {}])).toBe(false);
});
