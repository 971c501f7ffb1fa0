import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { AuditAction } from '@/lib/base/audit';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { noReviewPolicy } from '@/lib/base/review-policy';
import { folderOf } from '@/lib/cards/files';
import { findAudit } from '@/lib/store/audit';
import { listSignIns, putSignIn } from '@/lib/store/mcp-sign-ins';
import { insertProject, saveDraft } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { exportAudit } from './audit';
import { askForCommands, decideCommand, listCommands } from './commands';
import { createDraft, deleteDraft } from './drafts';
import { noteRunExport } from './exports';
import { forgetMirror, setMirror } from './mirror';
import { setLine } from './person-notices';
import { saveFiles } from './projects';
import { applySuggestion, comment } from './review-threads';
import { addVersion, getReview, giveVerdict, openReview, setReviewPolicy, withdrawReview } from './reviews';
import { release } from './revisions';
import { deleteNow, removeRun, restoreRuns } from './run-bin';
import { changeRetention, exportRuns } from './run-lists';
import { forgetSecret, setSecret, startKeyTest } from './secrets';
import { exportSession } from './sessions';
import { forgetSignIn } from './sign-ins';
import { startTask } from './tasks';
import { confirmCapabilities, readTrust } from './trust';

const { url, store } = await testDatabase();
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 5)).publicKey);
});
afterAll(() => vi.unstubAllEnvs());

const reach = { kind: 'person', userId: 'ada', name: 'Ada', isAdministrator: true, members: new Map() } as const;
const ada: Actor = { by: 'ada@entries.example', via: 'web', reach };
const bob: Actor = { by: 'bob@entries.example', via: 'web', reach: { ...reach, userId: 'bob', name: 'Bob' } };

const files = {
  'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [time]\n---\nOne.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
};
const newProject = () => insertProject(store, 'Own', folderOf(files), { origin: 'import' });

interface Expected {
  readonly object: string;
  readonly project: ProjectId | null;
}
type Act = () => Promise<Expected>;
const inside = (project: ProjectId, object: string = project): Expected => ({ object, project });

/** Does something to a new project. The entry has the project as its object too. */
const toProject =
  (work: (id: ProjectId) => unknown): Act =>
  async () => {
    const id = await newProject();
    await work(id);
    return inside(id);
  };

/** Does something to a new review. */
const toReview = (work: (id: ProjectId, review: number) => unknown): Act =>
  toProject(async (id) => {
    const { number } = await openReview(ada, id, { draft: 'main', title: 'First', body: '' });
    await work(id, number);
  });

async function decide(id: ProjectId, review: number, verdict: 'approve' | 'request_changes' | 'withdrawn') {
  const { head } = await getReview(bob, id, review);
  await giveVerdict(bob, id, review, { verdict, revision: head.number, note: '' });
}

async function suggestAndApply(id: ProjectId, review: number) {
  const anchor = { kind: 'line', file: 'lead.md', from: 6, to: 6 } as const;
  const { thread } = await comment(ada, id, review, { anchor, body: '', suggestion: 'Two.' });
  const [first] = (await getReview(ada, id, review)).threads;
  await applySuggestion(ada, id, { review, thread, comment: first?.comments[0]?.id ?? '' });
}

async function writeMain(id: ProjectId) {
  const changes = [{ path: 'note.txt', file: { kind: 'text', text: 'More' } as const }];
  const limits = { files: 100, totalBytes: 1_000_000 };
  await saveDraft(store, id, { draft: 'main', baseVersion: 1, changes, limits });
}

async function endedRun(): Promise<{ readonly run: RunId; readonly project: ProjectId }> {
  const run = await storedRun(store);
  const { projectId } = await store.prisma.run.update({ where: { id: run }, data: { status: 'completed' } });
  return { run, project: brandAs<ProjectId>(projectId) };
}

async function signedInAtServer(): Promise<ProjectId> {
  const project = await newProject();
  const address = 'https://mcp.example.org/mcp';
  const place = { id: randomUUID(), projectId: project, server: 'time', address, url: address };
  await putSignIn(store, { ...place, sealed: '', by: ada.by, provider: 'example.org', expiresAt: null });
  return project;
}

const token = { name: 'GIT_TOKEN', value: 'a-token-of-the-team', hosts: [] };
const mirror = { url: 'https://git.example.org/own.git', user: 'git', secret: token.name };

const ofReviews: readonly (readonly [AuditAction, Act])[] = [
  ['review.opened', toReview(() => undefined)],
  ['review.approved', toReview((id, review) => decide(id, review, 'approve'))],
  ['review.changes_requested', toReview((id, review) => decide(id, review, 'request_changes'))],
  [
    'review.verdict_withdrawn',
    toReview(async (id, review) => {
      await decide(id, review, 'approve');
      await decide(id, review, 'withdrawn');
    }),
  ],
  [
    'review.version_added',
    toReview(async (id, review) => {
      await writeMain(id);
      await addVersion(ada, id, review, 'More');
    }),
  ],
  ['review.withdrawn', toReview((id, review) => withdrawReview(ada, id, review))],
  ['review.suggestion_applied', toReview(suggestAndApply)],
  ['review.policy_set', toProject((id) => setReviewPolicy(ada, id, noReviewPolicy))],
];

const ofProjects: readonly (readonly [AuditAction, Act])[] = [
  [
    'capabilities.confirmed',
    toProject(async (id) => await confirmCapabilities(ada, id, (await readTrust(ada, id)).hash)),
  ],
  [
    'capabilities.needed',
    async () => {
      const id = await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
      await saveFiles(ada, id, { baseVersion: 1, changes: [{ path: 'hook.py', text: 'x = 1\n' }], brought: true });
      return inside(id);
    },
  ],
  [
    'command.denied',
    async () => {
      const id = await newProject();
      await askForCommands(ada, id);
      const [asked] = await listCommands(ada, { status: 'asked', limit: 1 });
      await decideCommand(ada, asked?.id ?? '', { decision: 'deny', note: 'No.' });
      return inside(id, asked?.id ?? '');
    },
  ],
  [
    'draft.deleted',
    async () => {
      const id = await newProject();
      await createDraft(ada, id, 'try', { draft: 'main' });
      await deleteDraft(ada, id, 'try');
      return inside(id, 'try');
    },
  ],
  ['notice_line.set', toProject((id) => setLine(ada, id, { usd: 1, seconds: undefined }))],
  [
    'revision.promoted',
    toProject((id) => release(ada, id, { label: 'staging', target: { draft: 'main' }, note: 'Go', override: 'Try' })),
  ],
  ['retention.changed', toProject((id) => changeRetention(ada, { maxAgeDays: 30, maxBytes: null }, id))],
  [
    'retention.changed',
    async () => {
      await changeRetention(ada, { maxAgeDays: null, maxBytes: null }, undefined);
      return { object: 'app', project: null };
    },
  ],
  [
    'mirror.removed',
    toProject(async (id) => {
      await setSecret(ada, id, token);
      await setMirror(ada, id, mirror);
      await forgetMirror(ada, id);
    }),
  ],
];

const ofSecretsAndExports: readonly (readonly [AuditAction, Act])[] = [
  [
    'secret.removed',
    async () => {
      const id = await newProject();
      await setSecret(ada, id, token);
      await forgetSecret(ada, id, token.name);
      return inside(id, token.name);
    },
  ],
  [
    'secret.tested',
    async () => {
      const id = await newProject();
      await startKeyTest(ada, id, { name: 'OPENAI_API_KEY' });
      return inside(id, 'OPENAI_API_KEY');
    },
  ],
  [
    'tool.tried',
    async () => {
      const id = await insertProject(store, 'Own', folderOf({ 'a.md': '---\nname: lead\n---\nA.\n' }), {
        origin: 'api',
      });
      const request = { kind: 'tool', agent: 'lead', tool: 'add', arguments: {} } as const;
      await startTask(ada, id, { request, changes: [] });
      return inside(id, 'add');
    },
  ],
  ['server.signed_in', async () => inside(await signedInAtServer(), 'time')],
  [
    'server.signed_out',
    async () => {
      const id = await signedInAtServer();
      const [signIn] = await listSignIns(store, id);
      await forgetSignIn(ada, id, signIn?.id ?? '');
      return inside(id, 'time');
    },
  ],
  [
    'run.exported',
    async () => {
      const { run, project } = await endedRun();
      await noteRunExport(ada, run, 'csv');
      return inside(project, run);
    },
  ],
  [
    'runs.exported',
    async () => {
      const { project } = await endedRun();
      await exportRuns(ada, [{ field: 'project', value: project }]);
      return inside(project, 'runs');
    },
  ],
  [
    'runs.binned',
    async () => {
      const { run, project } = await endedRun();
      await removeRun(ada, run);
      return inside(project, 'runs');
    },
  ],
  [
    'runs.restored',
    async () => {
      const { run, project } = await endedRun();
      await removeRun(ada, run);
      await restoreRuns(ada, { runs: [run] });
      return inside(project, 'runs');
    },
  ],
  [
    'runs.deleted',
    async () => {
      const { run, project } = await endedRun();
      await removeRun(ada, run);
      await deleteNow(ada, { runs: [run] });
      return inside(project, 'runs');
    },
  ],
  [
    'session.exported',
    async () => {
      const id = await newProject();
      const content = JSON.stringify({ history: [], state: {}, activeGroups: [] });
      const session = { projectId: id, id: 'talk', owner: 'lead > kid', version: 1, writer: 'w', content };
      await store.prisma.session.create({ data: session });
      await exportSession(ada, id, 'talk');
      return inside(id, 'talk');
    },
  ],
  [
    'audit.exported',
    async () => {
      await exportAudit(ada);
      return { object: 'audit', project: null };
    },
  ],
];

const verdicts: ReadonlySet<AuditAction> = new Set([
  'review.approved',
  'review.changes_requested',
  'review.verdict_withdrawn',
]);

test.each([...ofReviews, ...ofProjects, ...ofSecretsAndExports])(
  '%s is recorded: by whom, about what and in which project',
  async (action, act) => {
    const expected = await act();
    const [entry] = await findAudit(store, { actions: [action], limit: 1 }, undefined);
    expect(entry).toMatchObject({ actor: verdicts.has(action) ? bob.by : ada.by, via: 'web', ...expected });
  },
);
