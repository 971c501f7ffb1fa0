import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { listDraftNames } from '@/lib/server/drafts';
import { readAccess } from '@/lib/server/project-access';
import { describeProject } from '@/lib/server/projects';
import { getReviewPolicy, listReviews } from '@/lib/server/reviews';
import { ReviewsClient } from './reviews-client';

export const metadata: Metadata = { title: 'Reviews' };

interface ReviewsPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

const most = 200;

async function read(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [{ name }, access, reviews, drafts, policy] = await Promise.all([
      describeProject(actor, id),
      readAccess(actor, id),
      listReviews(actor, id, { limit: most }),
      listDraftNames(actor, id),
      getReviewPolicy(actor, id),
    ]);
    return { id, name, access, reviews, drafts, policy };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** The reviews of a project. */
export default async function ReviewsPage({ params }: ReviewsPageProps) {
  const { id, name, access, reviews, drafts, policy } = await read(await pageActor(), (await params).project);
  const description = 'Changes that somebody asks to publish.';
  return (
    <ProjectPage project={{ id, name }} access={access} current="reviews" title="Reviews" description={description}>
      <ReviewsClient
        project={id}
        access={access}
        policy={policy}
        drafts={drafts}
        reviews={reviews.map(({ number, title, status, authorName, draft, version, createdAt }) => ({
          number,
          title,
          status,
          author: authorName,
          draft,
          version,
          createdAt: createdAt.getTime(),
        }))}
      />
    </ProjectPage>
  );
}
