import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { ImportReport } from '@/lib/cards/import-report';
import { readTree } from '@/lib/store/trees';
import { webReader } from './reading/web-reader';
import { type FilesTarget, findFiles } from './run-target';
import { withStore } from './services';

/**
 * Says what becomes of each file of a project and of each field: by default of its draft `main`. The report is derived from the files
 * and is not stored. Throws AppError `not_found`, `bad_request` for two targets, and `too_large` when reading takes too long.
 */
export async function readImportReport(
  actor: Actor,
  projectId: ProjectId,
  target?: FilesTarget,
): Promise<{ readonly name: string; readonly report: ImportReport }> {
  const { name, folder } = await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const { name, treeHash } = await findFiles(store, projectId, target);
    return { name, folder: await readTree(store.prisma, treeHash) };
  });
  const report = await webReader().report(folder);
  if (!report.ok) throw new AppError('too_large', report.error.message);
  return { name, report: report.value };
}
