import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import { ImportReportView } from '@/components/projects/import-report-view';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { readImportReport } from '@/lib/server/import-report';
import { readAccess } from '@/lib/server/project-access';

export const metadata: Metadata = { title: 'Import report' };

interface ImportReportPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

async function open(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [read, access] = await Promise.all([readImportReport(actor, id), readAccess(actor, id)]);
    return { id, access, ...read };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** What becomes of each file of a project, and of each field. */
export default async function ImportReportPage({ params }: ImportReportPageProps) {
  const actor = await pageActor();
  const { id, name, access, report } = await open(actor, (await params).project);
  return (
    <ProjectPage
      project={{ id, name }}
      access={access}
      current={undefined}
      title="Import report"
      description="What becomes of each file of the draft, and of each field."
    >
      <div className="max-w-3xl">
        <ImportReportView report={report} />
      </div>
    </ProjectPage>
  );
}
