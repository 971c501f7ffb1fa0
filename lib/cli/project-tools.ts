import { z } from 'zod';
import { fileSize } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { filesBody, folderOfBody } from '@/lib/client/wire-files';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import type { AppClient } from './app-client';
import { type AppTool, appTool, draftName, projectInput, read } from './app-tool';
import { describe } from './diff';

const version = {
  draft: draftName.optional(),
  revision: z.number().int().min(1).optional(),
  label: draftName.optional().describe('such as live'),
};
const oneVersion = z.strictObject(version);
const longestFile = 100_000;

/** Tools that read projects. */
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
    input: { project: projectInput, before: z.number().int().min(1).optional() },
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
    input: { project: projectInput, ...version, paths: z.array(z.string().max(500)).max(50).default([]) },
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
    input: { project: projectInput, before: oneVersion, after: oneVersion },
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
    input: { project: projectInput, draft: draftName.optional(), revision: z.number().int().min(1).optional() },
    run: async (client, { project: id, ...of }) =>
      await read(client, `/api/v1/projects/${id}/releases/check`, { ...of }),
  }),
];

async function filesOf(client: AppClient, id: string, of: z.infer<typeof oneVersion>) {
  return filesBody.parse(await read(client, `/api/v1/projects/${id}/files`, { ...of, binary: 'hash' }));
}
