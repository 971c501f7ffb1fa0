import { expect, test } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Role } from '@/lib/base/rights';
import { listDrafts } from '@/lib/server/drafts';
import { getReview, giveVerdict, setReviewPolicy } from '@/lib/server/reviews';
import { release } from '@/lib/server/revisions';
import { gitDesk, inside, lead } from '@/lib/testing/git-desk';
import { localActor } from '@/lib/testing/local-actor';
import { POST as receivePack } from './[project]/git-receive-pack/route';
import { POST as uploadPack } from './[project]/git-upload-pack/route';
import { GET as infoRefs } from './[project]/info/refs/route';

/* A push opens a review. */

const desk = await gitDesk({
  'info/refs': infoRefs,
  'git-upload-pack': uploadPack,
  'git-receive-pack': receivePack,
});
const { git, originOf, published, cloned, cardOf, commit, push } = desk;

const fsck = async () => expect((await git.run(['fsck', '--strict'], inside)).code).toBe(0);
const approve = async (actor: Actor, id: ProjectId, number: number) => {
  const { head } = await getReview(actor, id, number);
  await giveVerdict(actor, id, number, { verdict: 'approve', revision: head.number, note: '' });
};
const person = (name: string, id: ProjectId, role: Role): Actor => {
  const members = new Map([[id, { role, answers: false }] as const]);
  const reach = { kind: 'person', userId: name, name, isAdministrator: false, members } as const;
  return { by: `${name}@x.org`, via: 'web', reach };
};

test('clone, commit, a push to main that is refused, one to a draft, review, approval, publishing and pull', async () => {
  const id = await published('two');
  await setReviewPolicy(localActor, id, { approvals: 1, authorMayApprove: false, owners: [] });
  await cloned(id);
  await commit('three', 'Say three\n\nBecause two is too few.');
  expect((await push('main')).said).toContain('what is live changes by publishing');

  const opened = await push('HEAD:refs/heads/draft/more', '-o', 'review');
  expect(opened).toMatchObject({ code: 0, said: expect.stringContaining('remote: Draft') });
  expect(opened.said).toContain('Review 1 is open.');
  expect(opened.said).toContain(`remote:   ${originOf()}/p/${id}/reviews/1`);
  const review = await getReview(localActor, id, 1);
  expect(review).toMatchObject({ title: 'Say three', body: 'Because two is too few.', draft: 'more', version: 1 });

  const rae = person('rae', id, 'reviewer');
  await approve(rae, id, 1);
  // The next push is a new version, which ends the approval and says why.
  await commit('four');
  const again = await push('HEAD:refs/heads/draft/more', '-o', 'review');
  expect(again.said).toContain('It is version 2 of review 1.');
  const [stale] = (await getReview(localActor, id, 1)).verdicts;
  expect(stale).toMatchObject({ by: 'rae@x.org', staleAt: expect.anything() });
  const target = { revision: (await getReview(localActor, id, 1)).head.number };
  await expect(release(rae, id, { label: 'live', target, note: 'Go' })).rejects.toMatchObject({ code: 'conflict' });
  await approve(rae, id, 1);
  await release(rae, id, { label: 'live', target, note: 'Go' });

  await git.ok(['reset', '-q', '--hard', 'origin/main'], inside);
  await git.ok(['pull', '-q', 'origin', 'main'], inside);
  expect(cardOf()).toBe(lead('four'));
  await fsck();
});

test('without the option a push says how to get one, and with a title it has that title', async () => {
  const id = await published('two');
  await cloned(id);
  await commit('three');
  expect((await push('HEAD:refs/heads/draft/more')).said).toContain('or push with -o review');
  await commit('four');
  const opened = await push('HEAD:refs/heads/draft/more', '-o', 'title=Better', '-o', 'body=Why not');
  expect(opened.said).toContain('Review 1 is open.');
  expect(await getReview(localActor, id, 1)).toMatchObject({ title: 'Better', body: 'Why not' });
  await commit('five');
  expect((await push('HEAD:refs/heads/draft/more')).said).toContain('Review 1 of it is open.');
});

test('an unknown option changes nothing, and what cannot be reviewed is pushed nevertheless', async () => {
  const id = await published('two');
  await cloned(id);
  await commit('three');
  const typo = await push('HEAD:refs/heads/draft/more', '-o', 'reveiw');
  expect(typo).toMatchObject({ code: 1, said: expect.stringContaining("the push option 'reveiw' is not known") });
  expect((await listDrafts(localActor, id)).map(({ name }) => name)).toEqual(['main']);
  await commit('two');
  const same = await push('HEAD:refs/heads/draft/same', '-o', 'review');
  expect(same).toMatchObject({ code: 0, said: expect.stringContaining('There is no review: ') });
  expect((await listDrafts(localActor, id)).map(({ name }) => name)).toContain('same');
});
