import { z } from 'zod';
import { saveBody } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { targetQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { withoutSecretFiles } from '@/lib/cards/secret-files';
import { writeZip } from '@/lib/server/folders/zip';
import {
  exportProject,
  exportProjectForFastAgent,
  openInEditor,
  openProject,
  saveFiles,
  saversSince,
} from '@/lib/server/projects';

const query = targetQuery.extend({
  format: z.enum(['json', 'zip', 'report'], 'Is "json" or "zip".').default('json'),
  for: z.enum(['fast-agent'], 'Is "fast-agent", or left out.').optional(),
  secrets: z.enum(['omit'], 'Is "omit", or left out.').optional(),
  binary: z.enum(['base64', 'hash'], 'Is "base64" or "hash".').default('base64'),
  since: z.coerce
    .number('Give a version.')
    .int('Give a version.')
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
});

export const GET = respond(query, async (_request, params: ProjectParams, actor, asked) => {
  const { format, for: target, secrets, binary, since, ...source } = asked;
  const id = projectId(params);
  if (secrets !== undefined && format !== 'zip') throw new AppError('bad_request', 'secrets: is for format=zip alone.');
  const kept = secrets === 'omit' ? withoutSecretFiles : (folder: Folder) => folder;
  if (target !== undefined) return await forFastAgent(actor, id, format, kept);
  if (format === 'zip') {
    const { name, folder } = await exportProject(actor, id);
    return zipResponse({ name, bytes: writeZip(kept(folder)) });
  }
  if (format !== 'json') throw new AppError('bad_request', 'format: Is "json" or "zip".');
  const named = Object.keys(source).length > 0 ? source : undefined;
  const { version, folder } = await (binary === 'hash' ? openInEditor : openProject)(actor, id, named);
  const files = Object.fromEntries([...folder].map(([path, file]) => [path, jsonOf(file)]));
  const by = since === undefined ? {} : { savedBy: await saversSince(actor, id, since, source.draft) };
  return { version, files, ...by };
});

/** Answers the zip for fast-agent, or the report of what the export changes and leaves out. */
async function forFastAgent(
  actor: Actor,
  id: ProjectId,
  format: z.infer<typeof query>['format'],
  kept: (folder: Folder) => Folder,
) {
  if (format === 'json') {
    throw new AppError('bad_request', 'format: is "zip" or "report" when the export is for fast-agent.');
  }
  const { name, folder, report } = await exportProjectForFastAgent(actor, id, format === 'zip');
  return format === 'zip' ? zipResponse({ name: `${name} for fast-agent`, bytes: writeZip(kept(folder)) }) : report;
}

function jsonOf(
  file: FolderFile,
): string | { readonly base64: string } | { readonly hash: string; readonly size: number } {
  if (file.kind === 'text') return file.text;
  if (file.kind === 'stored') return { hash: file.hash, size: file.size };
  return { base64: Buffer.from(file.bytes).toString('base64') };
}

export const PATCH = respond<ProjectParams>(async (request, params, actor) => {
  return await saveFiles(actor, projectId(params), await readJson(request, saveBody));
});

function zipResponse({ name, bytes }: { name: string; bytes: Uint8Array }): Response {
  const file = `${name.replace(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 100) || 'project'}.zip`;
  const ascii = file.replace(/[^\x20-\x7e]/g, '_');
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file)}`,
    },
  });
}
