import { type ProjectParams, projectId } from '@/app/api/project-id';
import { filesQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { readImportReport } from '@/lib/server/import-report';

/** Answers what becomes of each file of the project, and of each field. */
export const GET = respond(filesQuery, async (_request, params: ProjectParams, actor, target) => {
  return (await readImportReport(actor, projectId(params), target)).report;
});
