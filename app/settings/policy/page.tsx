import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { Page } from '@/components/shell/page';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { readPolicyOf } from '@/lib/server/policy';
import { listProjectNames } from '@/lib/server/projects';
import { PolicyClient } from './policy-client';

export const metadata: Metadata = { title: 'Policy' };

interface PolicyPageProps {
  /** `project` is the project whose rules are shown first. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** The rules that projects must meet, for everybody whom they bind. */
export default async function PolicyPage({ searchParams }: PolicyPageProps) {
  const [{ project: asked }, actor] = [await searchParams, await pageActor()];
  const project = typeof asked === 'string' ? brandAs<ProjectId>(asked) : null;
  const description =
    'Rules that projects must meet. They are kept here, not in the folders, so that whoever edits a project cannot change them.';
  try {
    const [policy, { projects }] = await Promise.all([
      readPolicyOf(actor, project),
      listProjectNames(actor, { limit: 200 }),
    ]);
    return (
      <Page title="Policy" description={description}>
        <PolicyClient project={project ?? undefined} projects={projects} first={policy} />
      </Page>
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return (
      <Page title="Policy" description={description}>
        <p className="text-muted text-sm">{error.message}</p>
      </Page>
    );
  }
}
