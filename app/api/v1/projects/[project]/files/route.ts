import { z } from 'zod';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { AppError } from '@/lib/base/app-error';
import { checkPath } from '@/lib/cards/files';
import { exportProject, openProject, saveFiles } from '@/lib/server/projects';

export const GET = respond<ProjectParams>(async (request, params) => {
  const id = projectId(params);
  const format = new URL(request.url).searchParams.get('format') ?? 'json';
  if (format === 'zip') return zipResponse(await exportProject(id));
  if (format !== 'json') throw new AppError('bad_request', 'format: is "json" or "zip".');
  const { version, folder } = await openProject(id);
  const files = Object.fromEntries(
    [...folder].map(([path, file]) => [
      path,
      file.kind === 'text' ? file.text : { base64: Buffer.from(file.bytes).toString('base64') },
    ]),
  );
  return { version, files };
});

const saveBody = z.strictObject({
  baseVersion: z.int(),
  changes: z.array(z.strictObject({ path: z.string(), text: z.string().nullable() })).min(1),
});

export const PATCH = respond<ProjectParams>(async (request, params) => {
  const { baseVersion, changes } = await readJson(request, saveBody);
  for (const { path } of changes) {
    const fault = checkPath(path);
    if (fault) throw new AppError('bad_request', fault.message);
  }
  return saveFiles(projectId(params), { baseVersion, changes });
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
