import { NoticesClient } from '@/app/notices/notices-client';
import { MembersClient } from '@/app/p/[project]/members/members-client';
import { ReviewsClient } from '@/app/p/[project]/reviews/reviews-client';
import { ProjectPage } from '@/components/project-bar/project-page';
import { Page } from '@/components/shell/page';
import { QueryProvider } from '@/components/shell/query-provider';
import { personGroups } from '@/lib/base/notices';
import type { ProjectAccess } from '@/lib/base/project-access';
import { roles } from '@/lib/base/rights';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';

const hour = 3_600_000;

const members = roles.map((role, n) => ({
  ...{ userId: `u${n}`, name: `Person ${n + 1}`, email: `person.${n + 1}@example.org`, role },
  ...{ answers: n % 2 === 0, isDeactivated: n === 1 },
}));
const invitation = { id: 'i1', email: 'new@example.org', role: 'editor', answers: false, invitedBy: 'Ada' };

const memberScene = (name: string, mayChange: boolean): Scene => ({
  name,
  path: '/p/desk/members',
  open: () => ({
    screen: (
      <ProjectPage
        project={{ id: 'desk', name: 'Desk' }}
        access={mayChange ? mayAll : mayView}
        current={undefined}
        title="Members"
        description="Who works on the project, and what they may do there."
      >
        <MembersClient
          project="desk"
          members={members}
          administrators={['Ada']}
          invitations={mayChange ? [{ ...invitation, createdAt: Date.now() - hour }] : undefined}
          whyNot={mayChange ? undefined : 'You may not change who works on the project. Ask Ada.'}
          self="u4"
        />
      </ProjectPage>
    ),
    answers: {},
  }),
});

export const membersScreen: Screen = {
  id: 'members',
  title: 'Members',
  scenes: [memberScene('for an admin', true), memberScene('for somebody who only views', false)],
};

const review = (number: number, status: 'open' | 'published' | 'withdrawn') => ({
  ...{ number, title: `Shorter answers of the writer, part ${number}`, status, author: 'Bo', draft: 'main' },
  ...{ version: 2, createdAt: Date.now() - number * hour },
});

const reviewScene = (name: string, count: number, access: ProjectAccess): Scene => ({
  name,
  path: '/p/desk/reviews',
  open: () => ({
    screen: (
      <ProjectPage
        project={{ id: 'desk', name: 'Desk' }}
        access={access}
        current="reviews"
        title="Reviews"
        description="Changes that somebody asks to publish."
      >
        <ReviewsClient
          project="desk"
          access={access}
          drafts={['main', 'shorter']}
          reviews={Array.from({ length: count }, (_, n) =>
            review(n + 1, n === 0 ? 'open' : n % 2 === 0 ? 'published' : 'withdrawn'),
          )}
          policy={{
            ...{ approvals: 1, authorMayApprove: false },
            owners: [{ pattern: 'agent:writer', people: ['ada@example.org'] }],
          }}
        />
      </ProjectPage>
    ),
    answers: {},
  }),
});

export const reviews: Screen = {
  id: 'reviews',
  title: 'Reviews',
  scenes: [
    reviewScene('several reviews', 4, mayAll),
    reviewScene('empty', 0, mayAll),
    reviewScene('two hundred reviews', 200, mayAll),
    reviewScene('for somebody who only views', 4, mayView),
  ],
};

const notice = (n: number) => ({
  ...{ id: `n${n}`, kind: 'review.requested', project: 'desk', projectName: 'Desk', href: '/p/desk/reviews/1' },
  ...{ words: `Bo asks you to review “Shorter answers, part ${n}”.`, at: Date.now() - n * hour, isRead: n > 2 },
});

const noticeScene = (name: string, count: number, rest: Partial<Scene> = {}): Scene => ({
  name,
  path: '/notices',
  open: () => ({
    screen: (
      <Page title="Notices">
        <QueryProvider>
          <NoticesClient
            choices={{
              choices: personGroups.map((group) => ({ group, inApp: true, mail: group === 'reviews' })),
              sendsMail: true,
            }}
          />
        </QueryProvider>
      </Page>
    ),
    answers: {
      'GET /api/v1/notices': () => ({ notices: Array.from({ length: count }, (_, n) => notice(n + 1)) }),
    },
  }),
  ...rest,
});

export const notices: Screen = {
  id: 'notices',
  title: 'Notices',
  scenes: [
    noticeScene('several notices', 5),
    noticeScene('empty', 0),
    noticeScene('loading', 5, { never: ['GET /api/v1/notices'] }),
  ],
};
