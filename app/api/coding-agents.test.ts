import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { GET as listDrafts, POST as makeDraft } from '@/app/api/v1/projects/[project]/drafts/route';
import { GET as readFiles, PATCH as saveFiles } from '@/app/api/v1/projects/[project]/files/route';
import { GET as check } from '@/app/api/v1/projects/[project]/releases/check/route';
import { GET as readReview } from '@/app/api/v1/projects/[project]/reviews/[review]/route';
import { POST as addVersion } from '@/app/api/v1/projects/[project]/reviews/[review]/versions/route';
import { GET as listReviews, POST as openReview } from '@/app/api/v1/projects/[project]/reviews/route';
import { GET as listRevisions } from '@/app/api/v1/projects/[project]/revisions/route';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { type AppClient, AppRefusal } from '@/lib/cli/app-client';
import { projectTools } from '@/lib/cli/project-tools';
import { proposalTools } from '@/lib/cli/proposal-tools';
import { comment } from '@/lib/server/review-threads';
import { getReview, giveVerdict } from '@/lib/server/reviews';
import { release } from '@/lib/server/revisions';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

/** The tools of `callboard mcp` with the routes that they ask. */

const { url, store } = await testDatabase();
withTokens(url);
const limits = { files: 100, totalBytes: 1_000_000 };
const file = 'agent-cards/lead.md';
const card = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;

type Person = Awaited<ReturnType<typeof personInBrowser>>;
let project: ProjectId;
let people: { readonly ada: Person; readonly rae: Person };
let agent: AppClient;

beforeAll(async () => {
  project = await insertProject(store, 'Shop', folderOf({ [file]: card('One.') }), { origin: 'blank' });
  people = {
    ada: await personInBrowser(store, 'ada@agents.example', { in: { [project]: 'admin' } }),
    rae: await personInBrowser(store, 'rae@agents.example', { in: { [project]: 'reviewer' } }),
  };
  const target = { draft: 'main' } as const;
  await release(people.ada, project, { label: 'live', target, note: 'First', override: undefined });
  await saveAsPerson('main', card('Main.'));
  const ed = await personInBrowser(store, 'ed@agents.example', { in: { [project]: 'editor' } });
  agent = clientOf(await tokenFor(ed, ['read', 'edit']));
});

async function saveAsPerson(draft: string, text: string) {
  const { version } = await findProject(store, project, draft);
  const changes = [{ path: file, file: { kind: 'text', text } as const }];
  await saveDraft(store, project, { draft, baseVersion: version, changes, limits });
}

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

const routes: readonly (readonly [method: string, path: RegExp, route: Route])[] = [
  ['GET', /^\/drafts$/, listDrafts],
  ['POST', /^\/drafts$/, makeDraft],
  ['GET', /^\/files$/, readFiles],
  ['PATCH', /^\/files$/, saveFiles],
  ['GET', /^\/releases\/check$/, check],
  ['GET', /^\/reviews$/, listReviews],
  ['POST', /^\/reviews$/, openReview],
  ['GET', /^\/reviews\/(?<review>\d+)$/, readReview],
  ['POST', /^\/reviews\/(?<review>\d+)\/versions$/, addVersion],
  ['GET', /^\/revisions$/, listRevisions],
];

/** A client of the app that calls its routes. */
function clientOf(token: string): AppClient {
  return {
    async send(path, { method, body } = {}) {
      const how = method ?? (body === undefined ? 'GET' : 'POST');
      const init = { method: how, path, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const request = scriptRequest(`Bearer ${token}`, init);
      const at = new URL(request.url).pathname.replace(`/api/v1/projects/${project}`, '');
      const [, pattern, route] = routes.find(([each, place]) => each === how && place.test(at)) ?? [];
      if (pattern === undefined || route === undefined) throw new Error(`The test has no route for ${how} ${at}`);
      const params = { project, ...pattern.exec(at)?.groups };
      const response = await route(request, { params: Promise.resolve(params) as never });
      if (response.ok) return response;
      const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await response.json());
      throw new AppRefusal(response.status, error.message);
    },
  };
}

async function call(name: string, input: Record<string, unknown>): Promise<unknown> {
  const tool = [...projectTools, ...proposalTools].find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return await tool.run(agent, z.object(tool.input).parse({ project, ...input }));
}

test('files of a label and of a revision are read as they were saved, not as in the draft', async () => {
  const textOf = async (of: Record<string, unknown>) => await call('read_files', { ...of, paths: [file] });
  expect(await textOf({})).toMatchObject({ texts: { [file]: card('Main.') } });
  for (const of of [{ label: 'live' }, { revision: 1 }]) {
    expect(await textOf(of)).toMatchObject({ version: 1, texts: { [file]: card('One.') } });
  }
  const compared = await call('compare_versions', { before: { label: 'live' }, after: { draft: 'main' } });
  expect(compared).not.toBe(await call('compare_versions', { before: { draft: 'main' }, after: { draft: 'main' } }));
});

const proposed = z.looseObject({ version: z.number() });
const propose = async (draft: string, text: string, more: Record<string, unknown> = {}) =>
  proposed.parse(await call('propose_draft', { draft, files: { [file]: card(text) }, ...more }));
const textIn = async (draft: string) =>
  z.object({ texts: z.record(z.string(), z.string()) }).parse(await call('read_files', { draft, paths: [file] })).texts[
    file
  ];
const review = { title: 'Shorter', body: 'Because.' };

test('a proposal for a draft of somebody else needs to have read it, and a stale one is refused with a reason', async () => {
  expect(await propose('own', 'Two.')).toMatchObject({ isNew: true, version: 2 });
  await saveAsPerson('own', card('Of a person.'));
  await expect(propose('own', 'Three.')).rejects.toThrow(
    `The draft 'own' is at version 3, and may be somebody else's. Read its files with read_files`,
  );
  await expect(propose('own', 'Three.', { version: 2 })).rejects.toThrow(
    `The draft 'own' is at version 3, not 2: it was changed since you read it.`,
  );
  expect(await textIn('own')).toBe(card('Of a person.'));
  expect(await propose('own', 'Three.', { version: 3 })).toMatchObject({ isNew: false, version: 4 });
  expect(await textIn('own')).toBe(card('Three.'));
});

test('a proposal opens a review, adds versions to the open one, and reads what people said', async () => {
  const first = await propose('talk', 'Two.', { review });
  const { number } = z.object({ number: z.number() }).parse(first.review);
  const { head } = await getReview(people.rae, project, number);
  const anchor = { kind: 'line', file, from: 5, to: 5 } as const;
  await comment(people.rae, project, number, { anchor, body: 'Say why.', suggestion: 'Two, because.' });
  await giveVerdict(people.rae, project, number, { verdict: 'approve', revision: head.number, note: 'Fine' });
  const said = {
    ...{ about: `${file}, line 5`, anchor, state: 'open', excerpt: 'Two.', outdatedIn: null },
    said: [{ author: people.rae.by, body: 'Say why.', suggestion: 'Two, because.', appliedBy: null }],
  };
  expect(await call('read_review', { review: number })).toMatchObject({
    ...{ number, ...review, status: 'open', draft: 'talk', version: 1, missing: [], author: 'ed@agents.example' },
    verdicts: [{ by: people.rae.by, verdict: 'approve', note: 'Fine', counts: true }],
    comments: [said],
  });

  const saved = await propose('talk', 'Two, because.', { version: first.version });
  expect(saved.review).toEqual({
    number,
    note: `Review ${number} is open and does not have these files. Pass review to add them.`,
  });
  const added = await propose('talk', 'Three.', { version: saved.version, review });
  expect(added.review).toEqual({ number, version: 2, isNew: true });
  expect(await call('read_review', { review: number })).toMatchObject({
    version: 2,
    verdicts: [{ counts: false, endedBy: expect.stringContaining('agent-cards/lead.md') }],
    comments: [{ outdatedIn: 2 }],
  });
  expect(await call('read_review', {})).toMatchObject({ reviews: [{ number, draft: 'talk', status: 'open' }] });
});

test('the answer names the saved files also when the review is refused', async () => {
  const readOnly = agent;
  agent = {
    send: async (path, options) => {
      if (path.endsWith('/reviews') && options?.body !== undefined) throw new AppRefusal(403, 'You may not.');
      return await readOnly.send(path, options);
    },
  };
  try {
    expect(await propose('refused', 'Two.', { review })).toMatchObject({
      ...{ isNew: true, version: 2 },
      review: { problem: 'The files are saved, but no review has them: You may not.' },
    });
  } finally {
    agent = readOnly;
  }
});
