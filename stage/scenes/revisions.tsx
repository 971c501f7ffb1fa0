import { RevisionsClient } from '@/app/p/[project]/revisions/revisions-client';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { ShownDraft, ShownRelease, ShownRevision } from '@/components/revisions/revision-types';
import type { MirrorInfo } from '@/lib/base/mirror';
import type { DraftUpdate } from '@/lib/editor/live-update';
import { actionsOf } from '@/stage/memory/actions-of';
import type { Answers } from '@/stage/memory/backend';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';

const hour = 3_600_000;
const ago = (hours: number) => Date.now() - hours * hour;

/** A project at a moment. */
interface Shown {
  readonly revisions: readonly ShownRevision[];
  readonly labels: readonly ShownRelease[];
  readonly releases: readonly ShownRelease[];
  readonly drafts: readonly ShownDraft[];
  readonly mirror: MirrorInfo | null;
}

const revision = (number: number, message: string, labels: readonly string[] = []): ShownRevision => ({
  ...{ number, message, labels, draft: number % 2 === 0 ? 'shorter' : 'main' },
  ...{ author: number % 2 === 0 ? 'Bo' : 'Ada', createdAt: ago(80 - number * 12) },
});

const release = (number: number, rest: Partial<ShownRelease>): ShownRelease => ({
  ...{ number, label: 'live', revision: 1, kind: 'publish', by: 'Ada', at: ago(60 - number * 10) },
  ...{ reason: '', overrode: [], ...rest },
});

const live = release(3, { revision: 3, kind: 'rollback', reason: 'The critic answered in French.' });
const staging = release(4, { label: 'staging', revision: 5, kind: 'promote', by: 'Bo' });

const several: Shown = {
  revisions: [
    revision(5, 'The critic reads the letter before it is sent', ['staging']),
    revision(4, ''),
    revision(3, 'Shorter answers of the writer', ['live']),
    revision(2, `A writer with ${'many words, '.repeat(20)}and a critic`),
    revision(1, 'The first that answers'),
  ],
  labels: [live, staging],
  releases: [
    staging,
    live,
    release(2, { revision: 4, by: 'Bo', reason: 'Asked by the office.', overrode: ['tests', 'review'] }),
    release(1, { revision: 3 }),
  ],
  drafts: [
    { name: 'main', equals: undefined, behind: 0, updatedAt: ago(1) },
    { name: 'shorter', equals: 4, behind: 2, updatedAt: ago(31) },
    {
      name: 'a-draft-with-a-name-that-is-as-long-as-names-of-drafts-can-be',
      equals: undefined,
      behind: 0,
      updatedAt: ago(70),
    },
  ],
  mirror: null,
};

const empty: Shown = {
  ...{ revisions: [], labels: [], releases: [], mirror: null },
  drafts: [{ name: 'main', equals: undefined, behind: 0, updatedAt: ago(1) }],
};

const mirror: MirrorInfo = {
  ...{ url: 'https://git.example.org/office/desk.git', user: 'callboard', secret: 'GIT_TOKEN', by: 'Ada' },
  ...{ state: 'failed', pushed: { commit: '7f3a51c2b80e94d17f3a51c2b80e94d17f3a51c2', revision: 3, at: ago(30) } },
  ...{
    error: { words: 'git.example.org did not take the token. Put a new one into GIT_TOKEN.', at: ago(2) },
    nextAt: null,
  },
};

const card = (model: string, ...lines: readonly string[]) =>
  ['---', 'name: writer', `model: ${model}`, '---', ...lines, ''].join('\n');

/** What a draft and live changed in one place. */
const conflicts: Extract<DraftUpdate, { state: 'conflicts' }> = {
  ...{ state: 'conflicts', version: 7, live: 3, taken: ['agent-cards/critic.md'], merged: ['fast-agent.yaml'] },
  conflicts: [
    {
      path: 'agent-cards/writer.md',
      base: card('haiku', 'Write letters.', '', 'Keep them shorter than a page.', '', 'Sign as the office.'),
      ours: card('haiku', 'Write letters.', '', 'Keep them shorter than 300 words.', '', 'Sign as the office.'),
      theirs: card('sonnet', 'Write letters.', '', 'Keep them shorter than half a page.', '', 'Sign as the office.'),
    },
    { path: 'notes.md', base: 'Ask the office.\n', ours: null, theirs: 'Ask the office before noon.\n' },
  ],
};

const updated: DraftUpdate = {
  ...{ state: 'updated', version: 8, live: 3, taken: conflicts.taken, merged: conflicts.merged },
  resolved: conflicts.conflicts.map(({ path }) => path),
};

/** What the page asks when it opens, and its dialogs before anything is changed. */
const answersOf = ({ mirror: found }: Shown): Answers => ({
  ...actionsOf<typeof import('@/app/p/[project]/revisions/mirror-actions')>('p/[project]/revisions/mirror-actions', {
    loadMirror: () => found,
    mirrorSecrets: () => ['GIT_TOKEN'],
  }),
  ...actionsOf<typeof import('@/app/p/[project]/revisions/actions')>('p/[project]/revisions/actions', {
    check: () => ({
      checks: [
        { id: 'problems', ok: true, sentence: 'The files have no errors.', overriddenBy: 'admin', overridable: true },
      ],
      now: 3,
    }),
    checkBack: () => ({ revision: 4, warnings: [] }),
    compare: () => ({ files: [], capabilities: [] }),
    updateDraft: ({ request }) => (request.resolutions === undefined ? conflicts : updated),
  }),
});

const scene = (name: string, shown: Shown, access = mayAll): Scene => ({
  name,
  path: '/p/desk/revisions',
  open: () => ({
    screen: (
      <ProjectPage
        project={{ id: 'desk', name: 'Desk' }}
        access={access}
        current="revisions"
        title="Revisions"
        description="Numbered versions of the project, and which one is live."
      >
        <RevisionsClient
          project="desk"
          access={access}
          hasMore={false}
          publicUrl="https://board.example.org"
          {...shown}
        />
      </ProjectPage>
    ),
    answers: answersOf(shown),
  }),
});

export const revisions: Screen = {
  id: 'revisions',
  title: 'Revisions',
  scenes: [
    scene('several revisions', several),
    scene('empty', empty),
    scene('a push that failed', { ...several, mirror }),
    scene('for somebody who only views', several, mayView),
  ],
};
