import { expect, it } from 'vitest';
import { oncePer } from './once-per';

it('works once for each key, also when the outcome is nothing', () => {
  const asked: object[] = [];
  const find = oncePer((key: { readonly name?: string }) => {
    asked.push(key);
    return key.name;
  });
  const [named, nameless] = [{ name: 'a' }, {}];
  expect([find(named), find(nameless), find(named), find(nameless)]).toEqual(['a', undefined, 'a', undefined]);
  expect(asked).toEqual([named, nameless]);
});
