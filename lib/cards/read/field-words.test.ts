import { expect, test } from 'vitest';
import { cardTypes, fieldNames, typesWith } from './card-fields';
import { fieldWords } from './field-words';

test('every field of every card type has words, and every word is about a field', () => {
  const known = Object.keys(fieldWords);
  expect(known.filter((field) => typesWith(field).length === 0)).toEqual([]);
  for (const type of cardTypes) {
    const missing = fieldNames(type).filter((field) => !known.includes(field));
    expect([type, missing]).toEqual([type, []]);
  }
});

test('the types that the words offer are those of cards', () => {
  expect(fieldWords.type?.options).toEqual(cardTypes);
});
