import { expect, test } from 'vitest';
import { dialectHomes } from './homes';
import { dialects } from './list';

test('the homes are those of the dialects', () => {
  expect(dialectHomes).toEqual(dialects.flatMap(({ home }) => home ?? []));
});
