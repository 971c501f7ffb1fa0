import { expect, test } from 'vitest';
import { runGroupHref } from './run-address';

test('the address of the page of a correlation id has the id and the run from which somebody comes', () => {
  expect(runGroupHref('nightly & more', 'r1')).toBe('/runs/group?id=nightly+%26+more&run=r1');
});
