import { expect, test } from 'vitest';
import { ownerLines, typedPolicy } from './typed-policy';

const typed = { approvals: '2', authorMayApprove: false, owners: [] };

test('the form of approvals says what a project asks for, and what is wrong in it', () => {
  const owners = [
    { pattern: ' hooks/* ', people: 'Ann@example.org, bob@example.org' },
    { pattern: '', people: ' ' },
  ];
  const policy = {
    approvals: 2,
    authorMayApprove: false,
    owners: [{ pattern: 'hooks/*', people: ['ann@example.org', 'bob@example.org'] }],
  };
  expect(typedPolicy({ ...typed, owners })).toEqual({ ok: true, value: policy });
  expect(ownerLines(policy)).toEqual([{ pattern: 'hooks/*', people: 'ann@example.org, bob@example.org' }]);
  expect(typedPolicy({ ...typed, approvals: '' })).toMatchObject({ ok: true, value: { approvals: 0 } });
  for (const [wrong, words] of [
    [{ approvals: '21' }, 'whole number'],
    [{ approvals: 'two' }, 'whole number'],
    [{ owners: [{ pattern: 'a', people: '' }] }, 'who owns a'],
    [{ owners: [{ pattern: '', people: 'ann@example.org' }] }, 'Say what ann@example.org own'],
  ] as const) {
    expect(typedPolicy({ ...typed, ...wrong })).toMatchObject({ ok: false, error: expect.stringContaining(words) });
  }
});
