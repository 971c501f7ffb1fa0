import { expect, it } from 'vitest';
import { FailureGroups } from './failure-groups';

const minute = 60_000;
const failure = (account: string, address = '192.0.2.1') => ({ account, address, way: 'password' });

it('the first failure of an account from an address has an entry, and those of its minute one together', () => {
  const groups = new FailureGroups();
  const ends = Array.from({ length: 9 }, (_, second) => groups.note(failure('ada'), second * 1_000));
  expect(ends.filter((entry) => entry !== undefined)).toEqual([{ ...failure('ada'), more: 0 }]);
  expect(groups.due(minute - 1)).toEqual([]);
  expect(groups.due(minute)).toEqual([{ ...failure('ada'), more: 8 }]);
  expect(groups.due(2 * minute)).toEqual([]);
  expect(groups.isEmpty).toBe(true);
  expect(groups.note(failure('ada'), 3 * minute)).toEqual({ ...failure('ada'), more: 0 });
});

it('a flood of failures hides no failure of another account', () => {
  const groups = new FailureGroups();
  for (let n = 0; n < 10_000; n += 1) groups.note(failure('unknown', `203.0.113.${n % 250}`), n);
  for (let n = 0; n < 1_000; n += 1) groups.note(failure('bo', `198.51.100.${n % 250}`), n);
  expect(groups.note(failure('ada'), 10_000)).toEqual({ ...failure('ada'), more: 0 });
});

it('a flood from many addresses has a bounded number of entries, which count every failure', () => {
  const groups = new FailureGroups();
  const entries = Array.from({ length: 1_000 }, (_, n) => groups.note(failure('ada', `2001:db8:0:${n}::1`), n));
  const written = [...entries.filter((entry) => entry !== undefined), ...groups.due(2 * minute)];
  expect(written).toHaveLength(6);
  expect(written.reduce((sum, { more }) => sum + (more === 0 ? 1 : more), 0)).toBe(1_000);
  expect(written.at(-1)).toEqual({ ...failure('ada', 'other addresses'), more: 995 });
});

it('a flood that goes on has an entry a minute', () => {
  const groups = new FailureGroups();
  for (let at = 0; at < 5 * minute; at += 1_000) {
    groups.note(failure('ada'), at);
    expect(groups.due(at).length).toBeLessThanOrEqual(1);
  }
  const rest = [...groups.due(6 * minute), ...groups.due(7 * minute)];
  expect([rest.length, groups.isEmpty]).toEqual([1, true]);
});
