import Link from 'next/link';
import { ReviewClient } from '@/app/p/[project]/reviews/[review]/review-client';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { FullReview, ShownComment, ShownThread, ShownVerdict } from '@/components/review/review-types';
import type { CheckResult } from '@/lib/base/gate';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import { actionsOf } from '@/stage/memory/actions-of';
import type { Answers } from '@/stage/memory/backend';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';
import { after, before, comparison, type Files } from './reviewed-change';

const hour = 3_600_000;
const ago = (hours: number) => Date.now() - hours * hour;

const comment = (id: string, author: string, body: string, rest: Partial<ShownComment> = {}): ShownComment => ({
  ...{ id, author, body, suggestion: null, isApplied: false, at: ago(5), isEdited: false, isDeleted: false },
  ...{ isOwn: author === 'Ada', ...rest },
});

const thread = (
  id: string,
  anchor: ReviewAnchor,
  comments: readonly ShownComment[],
  rest: Partial<ShownThread> = {},
): ShownThread => ({ id, anchor, place: anchor, excerpt: '', outdatedIn: null, state: 'open', comments, ...rest });

const threads: readonly ShownThread[] = [
  thread('t1', { kind: 'agent', agent: 'sender' }, [
    comment('c1', 'Ada', 'Who reads a letter **before** it is sent?'),
    comment('c2', 'Bo', 'Nobody yet. I ask the office.', { isEdited: true }),
  ]),
  thread(
    't2',
    { kind: 'line', file: 'agent-cards/writer.md', from: 7, to: 7 },
    [comment('c3', 'Ada', 'Say how many words a page has.', { suggestion: 'Keep them shorter than 300 words.' })],
    { excerpt: 'Keep them shorter than a page.' },
  ),
  thread('t3', { kind: 'review' }, [comment('c4', 'Bo', 'Ready.'), comment('c5', 'Bo', '', { isDeleted: true })], {
    state: 'resolved',
  }),
  thread(
    't4',
    { kind: 'line', file: 'agent-cards/lead.md', from: 9, to: 9 },
    [comment('c6', 'Ada', 'The critic is not asked.', { suggestion: 'Ask the critic.', isApplied: true })],
    { excerpt: 'Then have the critic send it.', outdatedIn: 2 },
  ),
];

const verdict = (id: string, by: string, rest: Partial<ShownVerdict>): ShownVerdict => ({
  ...{ id, by, verdict: 'approve', note: '', at: ago(3), staleBy: null, ...rest },
});
const asked = verdict('v1', 'Ada', { verdict: 'request_changes', note: 'Somebody has to read a letter first.' });
const stale = verdict('v2', 'Cora', { staleBy: 'version 2 changed agent-cards/writer.md' });

const check = (id: string, ok: boolean, sentence: string): CheckResult => ({
  ...{ id, ok, sentence, overriddenBy: 'admin', overridable: true },
});
const noErrors = check('problems', true, 'The files have no errors.');
const failed: readonly CheckResult[] = [
  noErrors,
  { ...check('tests', false, "The test 'london' has not run. Run the tests first."), tests: 'not run' },
  check('review', false, 'The project asks for one approval. Ask for it in a review.'),
];

const base = (status: FullReview['status']) => ({
  ...{ number: 3, title: 'Letters are sent', status, author: 'Bo', draft: 'shorter', version: 2, createdAt: ago(30) },
  ...{ body: 'Letters are **sent** now:\n\n- the writer counts\n- the sender sends', against: 4, revision: 6 },
  ...{ moved: undefined, ownApproval: undefined, verdicts: [], threads: [], checks: [noErrors] },
});

const presence = '/api/v1/projects/desk/presence';

const answers: Answers = {
  [`PUT ${presence}`]: () => ({}),
  [`DELETE ${presence}`]: () => ({}),
  ...actionsOf<typeof import('@/app/p/[project]/revisions/actions')>('p/[project]/revisions/actions', {
    check: () => ({ checks: failed, now: 4 }),
    updateDraft: () => ({
      ...{ state: 'updated', version: 8, live: 4, resolved: [] },
      ...{ taken: ['agent-cards/critic.md'], merged: ['agent-cards/lead.md'] },
    }),
  }),
};

interface Options extends Partial<FullReview> {
  readonly old?: Files;
  readonly now?: Files;
  readonly access?: typeof mayAll;
}

const scene = (name: string, status: FullReview['status'], options: Options = {}): Scene => ({
  name,
  path: '/p/desk/reviews/3',
  async open() {
    const { old = before, now = after, access = mayAll, ...rest } = options;
    const review: FullReview = { ...base(status), ...(await comparison(old, now)), ...rest };
    const description = (
      <>
        Review 3 of{' '}
        <Link href="/p/desk/reviews" className="text-accent underline">
          Desk
        </Link>{' '}
        by Bo, version 2 of the draft shorter: revision 6, compared with revision 4, which{' '}
        {status === 'open' ? 'is live now' : 'was live'}.
      </>
    );
    return {
      screen: (
        <ProjectPage
          project={{ id: 'desk', name: 'Desk' }}
          access={access}
          current="reviews"
          title={review.title}
          description={description}
        >
          <ReviewClient project="desk" access={access} review={review} />
        </ProjectPage>
      ),
      answers,
    };
  },
});

const guard = (note: string) => `/** Sums over 100 need a person. */
export async function guard(ctx: unknown, args: { sum: number }, next: (args: object) => Promise<unknown>) {
  ${note}
  if (args.sum > 100) return { isError: true };
  return await next(args);
}
`;
const hidden = {
  old: { ...before, 'guard.ts': guard('// The limit is in the handbook.') },
  now: {
    ...before,
    'guard.ts': guard('// The limit is in the handbook.\rreturn await next(args);'),
    'note.ts':
      '/* \u202e } \u2066return 1;\u2069 \u2066 begin */ const arg\u200bs2 = 1;\u2028export default arg\u200bs2;\n',
  },
};
const many = (count: number, changed: Files): Files => {
  const names = Array.from({ length: count }, (_, index) => `worker-${index}`);
  const lead = `---\nname: lead\ndefault: true\nagents: [${names.join(', ')}]\n---\nAsk all.\n`;
  const cards = names.map((name) => [`agent-cards/${name}.md`, `---\nname: ${name}\n---\nWork.\n`]);
  return { 'agent-cards/lead.md': lead, ...Object.fromEntries(cards), ...changed };
};
const thousand = {
  old: many(998, {}),
  now: many(999, { 'agent-cards/worker-500.md': '---\nname: worker-500\nmodel: haiku\n---\nWork.\n' }),
};
const open = { threads, verdicts: [asked, stale], checks: failed };
const moved = {
  by: ['Ada Lovelace'],
  from: 3,
  capabilities: [],
  files: ['agent-cards/critic.md', 'agent-cards/lead.md'],
};
const ownApproval = 'You wrote a part of this change. Here somebody else has to approve it.';

export const review: Screen = {
  id: 'review',
  title: 'Review',
  scenes: [
    scene('open with failed checks', 'open', open),
    scene('while another revision went live', 'open', { ...open, moved, ownApproval }),
    scene('published', 'published', { threads, verdicts: [verdict('v3', 'Ada', { note: 'Good.' })] }),
    scene('withdrawn', 'withdrawn', { verdicts: [verdict('v4', 'Ada', { verdict: 'withdrawn' })] }),
    scene('characters that nobody sees', 'open', hidden),
    scene('a thousand agents', 'open', thousand),
    scene('nothing differs', 'open', { now: before, body: '' }),
    scene('for somebody who only views', 'open', { ...open, access: mayView }),
  ],
};
