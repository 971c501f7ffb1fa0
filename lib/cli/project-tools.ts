import { z } from 'zod';
import { fileSize } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { filesBody, folderOfBody } from '@/lib/client/wire-files';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import type { AppClient } from './app-client';
import { type AppTool, appTool, read } from './app-tool';
import { describe } from './diff';

const project = z.string().regex(/^[\w-]{1,64}$/, 'Give the id of a project.');
const name = z.string().min(1).max(60);
const version = {
  draft: name.optional(),
  revision: z.number().int().min(1).optional(),
  label: name.optional().describe('such as live'),
};
const oneVersion = z.strictObject(version);
const longestFile = 100_000;

/** Tools that read projects, and one that proposes changes as a draft. None publishes. */
export const projectTools: readonly AppTool[] = [
  appTool({
    name: 'list_projects',
    description: 'The projects that you may open, those that were changed last first.',
    isReadOnly: true,
    input: { after: z.string().max(500).optional() },
    run: async (client, { after }) => await read(client, '/api/v1/projects', { after }),
  }),
  appTool({
    name: 'list_revisions',
    description:
      'Revisions of a project, newest first, with their labels (`live` is what callers get), and its drafts.',
    isReadOnly: true,
    input: { project, before: z.number().int().min(1).optional() },
    async run(client, { project: id, before }) {
      const of = `/api/v1/projects/${id}`;
      const [revisions, drafts] = [
        await read(client, `${of}/revisions`, { limit: 50, before }),
        await read(client, `${of}/drafts`),
      ];
      return { ...z.looseObject({}).parse(revisions), ...z.looseObject({}).parse(drafts) };
    },
  }),
  appTool({
    name: 'read_files',
    description:
      'The files of a draft (`main` if nothing is named), a revision or a label: all paths with sizes, and the texts of those in `paths`.',
    isReadOnly: true,
    input: { project, ...version, paths: z.array(z.string().max(500)).max(50).default([]) },
    async run(client, { project: id, paths, ...of }) {
      const body = await filesOf(client, id, of);
      const folder = folderOfBody(body);
      const texts = paths.map((path) => {
        const file = folder.get(path);
        if (file === undefined) return [path, null];
        return [path, file.kind === 'text' ? file.text.slice(0, longestFile) : 'It is no text.'];
      });
      const sizes = [...folder].map(([path, file]) => [path, fileSize(file)]);
      return { version: body.version, sizes: Object.fromEntries(sizes), texts: Object.fromEntries(texts) };
    },
  }),
  appTool({
    name: 'compare_versions',
    description:
      'Says in sentences what one version of a project can do that another could not, and what else is different.',
    isReadOnly: true,
    input: { project, before: oneVersion, after: oneVersion },
    async run(client, { project: id, before, after }) {
      const sides = await Promise.all(
        [before, after].map(async (of) => {
          const folder = folderOfBody(await filesOf(client, id, of));
          return { folder, parsed: readFolder(folder) };
        }),
      );
      const [was, now] = sides;
      if (was === undefined || now === undefined) throw new Error('Bug: two versions were read');
      const { capabilities, semantic } = compareProjects(was, now);
      return describe(capabilities, semantic);
    },
  }),
  appTool({
    name: 'check_version',
    description:
      'What stands between a draft or a revision and being live: errors of files, rules of the team, tests, approvals.',
    isReadOnly: true,
    input: { project, draft: name.optional(), revision: z.number().int().min(1).optional() },
    run: async (client, { project: id, ...of }) =>
      await read(client, `/api/v1/projects/${id}/releases/check`, { ...of }),
  }),
  appTool({
    name: 'propose_draft',
    description:
      'Writes files into a draft of your own, which is made from what is live if it is not there, and can open a review of it. It never publishes, and never writes into the draft main. `null` removes a file. Read the files of the draft first.',
    isReadOnly: false,
    input: {
      project,
      draft: name.refine((draft) => draft !== 'main', 'main belongs to people. Name another draft.'),
      files: z.record(z.string().min(1).max(500), z.string().max(1_000_000).nullable()),
      review: z
        .strictObject({ title: z.string().min(1).max(200), body: z.string().max(10_000).default('') })
        .optional()
        .describe('Opens a review of the draft, if none is open'),
    },
    run: async (client, input) => await propose(client, input),
  }),
];

interface Proposal {
  readonly project: string;
  readonly draft: string;
  readonly files: Readonly<Record<string, string | null>>;
  readonly review?: { readonly title: string; readonly body: string } | undefined;
}

async function propose(client: AppClient, { project: id, draft, files, review }: Proposal): Promise<unknown> {
  const of = `/api/v1/projects/${id}`;
  const { drafts } = z
    .object({ drafts: z.array(z.looseObject({ name: z.string() })) })
    .parse(await read(client, `${of}/drafts`));
  const isNew = !drafts.some((one) => one.name === draft);
  if (isNew) await client.send(`${of}/drafts`, { body: { name: draft, ...(await liveOf(client, of)) } });
  const { version: baseVersion } = await filesOf(client, id, { draft });
  const changes = Object.entries(files).map(([path, text]) => ({ path, text }));
  const saved = await client.send(`${of}/files`, { method: 'PATCH', body: { draft, baseVersion, changes } });
  const { version: now } = z.object({ version: z.number() }).parse(await saved.json());
  const { checks } = z
    .looseObject({ checks: z.unknown() })
    .parse(await read(client, `${of}/releases/check`, { draft }));
  if (review === undefined) return { draft, isNew, version: now, checks };
  const opened = await client.send(`${of}/reviews`, { body: { draft, ...review } });
  return { draft, isNew, version: now, checks, review: await opened.json() };
}

/** A draft begins with what is live, or with the draft `main` while nothing is. */
async function liveOf(client: AppClient, of: string): Promise<{ readonly revision?: number }> {
  const body = z.object({ labels: z.array(z.object({ label: z.string(), revision: z.number() })) });
  const { labels } = body.parse(await read(client, `${of}/revisions`, { limit: 1 }));
  const live = labels.find(({ label }) => label === 'live');
  return live === undefined ? {} : { revision: live.revision };
}

async function filesOf(client: AppClient, id: string, of: z.infer<typeof oneVersion>) {
  return filesBody.parse(await read(client, `/api/v1/projects/${id}/files`, { ...of, binary: 'hash' }));
}
