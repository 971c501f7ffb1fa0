import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { reviewNumber } from '@/app/api/review-bodies';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { draftWords } from '@/lib/base/release-names';
import { readAccess } from '@/lib/server/project-access';
import { describeProject } from '@/lib/server/projects';
import { readReviewChanges } from '@/lib/server/review-changes';
import { getReview, getReviewPolicy } from '@/lib/server/reviews';
import { checkRelease } from '@/lib/server/revisions';
import { ReviewClient } from './review-client';

export const metadata: Metadata = { title: 'Review' };

interface ReviewPageProps {
  readonly params: Promise<{ readonly project: string; readonly review: string }>;
}

async function read(actor: Actor, params: Awaited<ReviewPageProps['params']>) {
  try {
    const id = projectId(params);
    const number = reviewNumber(params);
    const [{ name }, access, review, policy, changes] = await Promise.all([
      describeProject(actor, id),
      readAccess(actor, id),
      getReview(actor, id, number),
      getReviewPolicy(actor, id),
      readReviewChanges(actor, id, number),
    ]);
    const { checks } = await checkRelease(actor, id, 'live', { revision: review.head.number });
    const isOwn = !policy.authorMayApprove && review.authors.includes(actor.by);
    return { id, name, access, review, checks, changes, isOwn };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

function comparedWith(revision: number | undefined, isOpen: boolean): string {
  if (revision === undefined) return isOpen ? 'and nothing is live' : 'where nothing was live';
  return `compared with revision ${revision}, which ${isOpen ? 'is live now' : 'was live'}`;
}

/** What a change does, what people say of it, and whether it may go live. */
export default async function ReviewPage({ params }: ReviewPageProps) {
  const actor = await pageActor();
  const { id, name, access, review, checks, changes, isOwn } = await read(actor, await params);
  const { number, title, status, authorName, draft, version, createdAt, body, head, verdicts, threads } = review;
  const description = `Review ${number} by ${authorName}, version ${version} of the ${draftWords(draft)}: revision ${head.number}, ${comparedWith(changes.against, status === 'open')}.`;
  return (
    <ProjectPage project={{ id, name }} access={access} current="reviews" title={title} description={description}>
      <ReviewClient
        project={id}
        access={access}
        review={{
          number,
          title,
          status,
          author: authorName,
          draft,
          version,
          createdAt: createdAt.getTime(),
          body,
          revision: head.number,
          ownApproval: isOwn ? 'You wrote a part of this change. Here somebody else has to approve it.' : undefined,
          checks,
          ...changes,
          files: changes.files.map((file) => ({ ...file })),
          verdicts: verdicts.map((each) => ({
            id: each.id,
            by: each.byName,
            verdict: each.verdict,
            note: each.note,
            at: each.at.getTime(),
            staleBy: each.staleBy,
          })),
          threads: threads.map(({ comments, ...thread }) => ({
            id: thread.id,
            anchor: thread.anchor,
            place: thread.place,
            excerpt: thread.excerpt,
            outdatedIn: thread.outdatedIn,
            state: thread.state,
            comments: comments.map((each) => ({
              id: each.id,
              author: each.authorName,
              body: each.body,
              suggestion: each.suggestion,
              isApplied: each.appliedAt !== null,
              at: each.at.getTime(),
              isEdited: each.editedAt !== null,
              isDeleted: each.deletedAt !== null,
              isOwn: each.author === actor.by,
            })),
          })),
        }}
      />
    </ProjectPage>
  );
}
