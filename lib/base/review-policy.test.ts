import { expect, test } from 'vitest';
import { mentionsIn } from './mentions';
import { type HeldVerdict, missingApprovals, noReviewPolicy, type ReviewPolicy } from './review-policy';

const said = (by: string, verdict: HeldVerdict['verdict'] = 'approve', authors: readonly string[] = ['ann@x']) => ({
  by,
  byName: by,
  verdict,
  authors,
  unseen: [],
});
const policy = (more: Partial<ReviewPolicy>): ReviewPolicy => ({ ...noReviewPolicy, ...more });
const touched = { paths: ['cards/writer.md', 'tools.ts'], agents: ['writer'] };

test('without settings no approval is needed', () => {
  expect(missingApprovals(noReviewPolicy, [said('bob@x', 'request_changes')], touched)).toEqual([]);
});

test('a number of people must approve, each counts once', () => {
  const two = policy({ approvals: 2 });
  expect(missingApprovals(two, [], touched)).toEqual(['It needs 2 approvals of exactly these files and has none.']);
  expect(missingApprovals(two, [said('bob@x'), said('bob@x')], touched)).toEqual([
    'It needs 2 approvals of exactly these files and has 1.',
  ]);
  expect(missingApprovals(two, [said('bob@x'), said('cid@x')], touched)).toEqual([]);
  expect(
    missingApprovals(policy({ approvals: 1 }), [said('bob@x'), said('cid@x', 'request_changes')], touched),
  ).toEqual(['cid@x asked for changes.']);
});

test('an approval of the author counts only where that is allowed', () => {
  expect(missingApprovals(policy({ approvals: 1 }), [said('ann@x')], touched)).toEqual([]);
  expect(missingApprovals(policy({ approvals: 1, authorMayApprove: false }), [said('ann@x')], touched)).toEqual([
    'It needs one approval of exactly these files and has none.',
  ]);
});

test('a file with owners needs the approval of one of them, and only if it is touched', () => {
  const owned = policy({
    owners: [
      { pattern: 'cards/*', people: ['ann@x', 'bob@x'] },
      { pattern: 'agent:wr*', people: ['cid@x'] },
      { pattern: 'secret/*', people: ['dan@x'] },
    ],
  });
  expect(missingApprovals(owned, [said('Bob@x')], touched)).toEqual([
    "The agent 'writer' needs the approval of cid@x.",
  ]);
  expect(missingApprovals(owned, [], { paths: ['readme.md'], agents: [] })).toEqual([]);
});

test('the approval of an owner of several files needs each file as it is now', () => {
  const owned = policy({ owners: [{ pattern: 'docs/*', people: ['bob@x'] }] });
  const docs = { paths: ['docs/a.md', 'docs/b.md'], agents: [] };
  const before = { ...said('bob@x'), unseen: ['docs/b.md'] };
  expect(missingApprovals(owned, [before], docs)).toEqual([
    'docs/b.md was changed after it was approved. It needs the approval of bob@x again.',
  ]);
  expect(missingApprovals(owned, [before, said('bob@x')], docs)).toEqual([]);
  expect(missingApprovals(owned, [before], { ...docs, paths: ['docs/a.md'] })).toEqual([]);
});

test('mentions are names and mail addresses after @', () => {
  expect(mentionsIn('@ann, see @bob@example.org. Mail to cid@example.org, @ann; @@x @ümit')).toEqual([
    'ann',
    'bob@example.org',
    'ümit',
  ]);
});
