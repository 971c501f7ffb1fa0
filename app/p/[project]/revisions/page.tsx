import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { wellFormed } from '@/lib/base/well-formed';
import { listDrafts } from '@/lib/server/drafts';
import { readMirror } from '@/lib/server/mirror';
import { readAccess } from '@/lib/server/project-access';
import { describeProject } from '@/lib/server/projects';
import { listReleases, listRevisions } from '@/lib/server/revisions';
import { publicAddress } from '@/lib/server/settings/process-env';
import { RevisionsClient } from './revisions-client';

export const metadata: Metadata = { title: 'Revisions' };

interface RevisionsPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

const mostRevisions = 100;
const mostReleases = 50;

async function open(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [{ name }, access, found, releases, drafts, mirror] = await Promise.all([
      describeProject(actor, id),
      readAccess(actor, id),
      listRevisions(actor, id, { limit: mostRevisions }),
      listReleases(actor, id, { limit: mostReleases }),
      listDrafts(actor, id),
      readMirror(actor, id),
    ]);
    return { id, name, access, ...found, releases, drafts, mirror };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** The revisions, drafts and labels of a project. */
export default async function RevisionsPage({ params }: RevisionsPageProps) {
  const { id, name, access, revisions, labels, releases, drafts, mirror } = await open(
    await pageActor(),
    (await params).project,
  );
  const description = 'Numbered versions of the project, and which one is live.';
  return (
    <ProjectPage project={{ id, name }} access={access} current="revisions" title="Revisions" description={description}>
      <RevisionsClient
        project={id}
        access={access}
        revisions={revisions.map(({ number, author, message, draft, createdAt, labels: own }) => ({
          number,
          author,
          message: wellFormed(message),
          draft,
          createdAt: createdAt.getTime(),
          labels: own,
        }))}
        hasMore={(revisions.at(-1)?.number ?? 1) > 1}
        labels={labels.map((each) => ({ ...each, number: 0, at: each.at.getTime() }))}
        releases={releases.map((each) => ({ ...each, at: each.at.getTime() }))}
        drafts={drafts.map(({ name: draft, equals, behind, updatedAt }) => ({
          name: draft,
          equals,
          behind,
          updatedAt: updatedAt.getTime(),
        }))}
        mirror={mirror}
        publicUrl={publicAddress()?.origin}
      />
    </ProjectPage>
  );
}
