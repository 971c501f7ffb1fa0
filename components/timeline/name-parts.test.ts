import { expect, test } from 'vitest';
import { nameParts } from './name-parts';

test.each([
  ['warehouse-auditor-12[1]', 'warehouse-auditor', '-12[1]'],
  ['NY-Project-Manager[2]', 'NY-Project-Manager', '[2]'],
  ['writer7', 'writer', '7'],
  ['reviewer_b', 'reviewer', '_b'],
  ['lead', 'lead', ''],
  ['42', '42', ''],
  ['[1]', '[1]', ''],
  ['a[b][3]', 'a[b]', '[3]'],
])('of %s, %s may be cut and %s stays', (name, head, tail) => {
  expect(nameParts(name)).toEqual({ head, tail });
});
