import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { projectId } from '@/app/api/project-id';
import { runId } from '@/app/api/run-id';
import { pageActor } from '@/app/page-actor';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { ProjectId } from '@/lib/base/ids';
import { wellFormed } from '@/lib/base/well-formed';
import { shownProviderVariables } from '@/lib/cards/models/providers';
import { wireFilesOf } from '@/lib/client/wire-files';
import type { AskedRun } from '@/lib/editor/run-session';
import { listDraftNames } from '@/lib/server/drafts';
import { installationFor } from '@/lib/server/installation';
import { readAccess } from '@/lib/server/project-access';
import { openInEditor } from '@/lib/server/projects';
import { readBudget } from '@/lib/server/run-limits';
import { getRun, lastRunOf } from '@/lib/server/runs';
import { placeTree } from '@/lib/server/tree-readings';
import { readTrustState } from '@/lib/server/trust';
import { EditorClient } from './editor-client';

interface ProjectPageProps {
  readonly params: Promise<{ readonly project: string }>;
  /** `again` is the id of a run of this project whose values fill the dock's form. */
  readonly searchParams: Promise<{ readonly again?: string | string[]; readonly draft?: string | string[] }>;
}

const open = cache(async (project: string, draft: string) => {
  try {
    return await openInEditor(await pageActor(), projectId({ project }), { draft });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params, searchParams }: ProjectPageProps): Promise<Metadata> {
  const draft = draftOf(await searchParams);
  const { name } = await open((await params).project, draft);
  return { title: escapeHidden(draft === mainDraft ? name : `${name}, draft ${draft}`) };
}

/**
 * The editor of one project. Nodes without a saved place are laid out here, so that the browser need not load the engine.
 * Files that cannot be read in time are shown only as text.
 */
export default async function ProjectPage({ params, searchParams }: ProjectPageProps) {
  const query = await searchParams;
  const draft = draftOf(query);
  const { id, name, version, treeHash, folder } = await open((await params).project, draft);
  const actor = await pageActor();
  const placed = await placeTree(actor, treeHash, folder);
  const [env, last, again, trust, access, drafts, budget] = await Promise.all([
    installationFor(id),
    lastRunOf(actor, id),
    askedRun(actor, id, query.again),
    readTrustState(actor, id, { draft }),
    readAccess(actor, id),
    listDraftNames(actor, id),
    readBudget(actor, id),
  ]);
  const lastRun = last && { id: last.id, message: last.message && wellFormed(last.message) };
  return (
    <EditorClient
      key={`${id} ${draft}`}
      projectId={id}
      draft={draft}
      drafts={drafts}
      name={name}
      version={version}
      files={wireFilesOf(folder)}
      layoutPoints={placed.ok ? placed.value : {}}
      unreadable={placed.ok ? undefined : placed.error}
      lastRun={lastRun}
      again={again}
      trust={trust}
      access={access}
      budget={budget.notice}
      installation={{
        pythonOff: !env.python.enabled,
        projectEnv: Object.keys(env.projectEnv),
        secrets: env.secrets,
        models: shownProviderVariables(env.models),
      }}
    />
  );
}

const mainDraft = 'main';

function draftOf({ draft }: { readonly draft?: string | string[] }): string {
  return typeof draft === 'string' && draft !== '' ? draft : mainDraft;
}

/**
 * Returns the values of the named run. Returns `undefined` if the run is gone or belongs to another project, because the
 * page should open even so.
 */
async function askedRun(
  actor: Actor,
  project: ProjectId,
  run: string | string[] | undefined,
): Promise<AskedRun | undefined> {
  if (typeof run !== 'string') return undefined;
  try {
    const { id, projectId, entryAgent, message, model, leftOut } = await getRun(actor, runId({ run }));
    return projectId === project ? { id, agent: entryAgent, message: wellFormed(message), model, leftOut } : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
