import { z } from 'zod';
import { saveBody } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { checkInput, readJson } from '@/app/api/read-body';
import { targetOf } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { FolderFile } from '@/lib/cards/folder';
import { writeZip } from '@/lib/server/folders/zip';
import {
  exportProject,
  exportProjectForFastAgent,
  openInEditor,
  openProject,
  saveFiles,
  saversSince,
} from '@/lib/server/projects';

const sinceQuery = z.object({
  since: z.coerce
    .number('Give a version.')
    .int('Give a version.')
    .min(0)
    .max(2 ** 31 - 1),
});

export const GET = respond<ProjectParams>(async (request, params, actor) => {
  const id = projectId(params);
  const query = new URL(request.url).searchParams;
  const format = query.get('format') ?? 'json';
  const target = query.get('for');
  if (target !== null) {
    if (target !== 'fast-agent') throw new AppError('bad_request', 'for: is "fast-agent", or left out.');
    return await forFastAgent(actor, id, format);
  }
  if (format === 'zip') return zipResponse(await exportProject(actor, id));
  if (format !== 'json') throw new AppError('bad_request', 'format: is "json" or "zip".');
  const binary = query.get('binary') ?? 'base64';
  if (binary !== 'base64' && binary !== 'hash') throw new AppError('bad_request', 'binary: is "base64" or "hash".');
  const asked = targetOf(request);
  const named = Object.keys(asked).length > 0 ? asked : undefined;
  const { version, folder } = await (binary === 'hash' ? openInEditor : openProject)(actor, id, named);
  const files = Object.fromEntries([...folder].map(([path, file]) => [path, jsonOf(file)]));
  const by = query.has('since') ? { savedBy: await saversSince(actor, id, sinceOf(query), asked.draft) } : {};
  return { version, files, ...by };
});

function sinceOf(query: URLSearchParams): number {
  return checkInput({ since: query.get('since') }, sinceQuery).since;
}

/** Answers the zip for fast-agent, or the report of what the export changes and leaves out. */
async function forFastAgent(actor: Actor, id: ProjectId, format: string) {
  if (format !== 'zip' && format !== 'report') {
    throw new AppError('bad_request', 'format: is "zip" or "report" when the export is for fast-agent.');
  }
  const { name, folder, report } = await exportProjectForFastAgent(actor, id, format === 'zip');
  return format === 'zip' ? zipResponse({ name: `${name} for fast-agent`, bytes: writeZip(folder) }) : report;
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
