'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { ActionResult } from '@/app/action';
import { callAction, unwrapAction } from '@/app/call-action';
import { AccessContext } from '@/components/access/access-context';
import type { MirrorServices } from '@/components/revisions/mirror-section';
import { RevisionsView, type RevisionsViewProps } from '@/components/revisions/revisions-view';
import { QueryProvider } from '@/components/shell/query-provider';
import type { ProjectAccess } from '@/lib/base/project-access';
import { changeDraftName, checkBack, compare, dropDraft, goBack, makeDraft, restore, saveAsRevision } from './actions';
import { dropMirror, loadMirror, mirrorSecrets, pushNow, saveMirror } from './mirror-actions';
import { publishServices } from './publish-services';

function mirrorServices(project: string): MirrorServices {
  return {
    read: () => unwrapAction(() => loadMirror({ project })),
    set: (mirror) => callAction(() => saveMirror({ project, mirror })),
    remove: () => callAction(() => dropMirror({ project })),
    push: () => callAction(() => pushNow({ project })),
    secretNames: () => unwrapAction(() => mirrorSecrets({ project })),
  };
}

export function RevisionsClient({
  access,
  ...view
}: { readonly access: ProjectAccess } & Omit<RevisionsViewProps, 'services'>) {
  const { project } = view;
  const router = useRouter();
  const services = useMemo((): RevisionsViewProps['services'] => {
    const refreshed = async <T,>(asked: Promise<T>) => {
      const answer = await asked;
      router.refresh();
      return answer;
    };
    const changed = <T,>(ask: () => Promise<ActionResult<T>>) => refreshed(callAction(ask));
    const publishing = publishServices(project);
    return {
      ...publishing,
      publish: (request) => refreshed(publishing.publish(request)),
      async update(draft, request) {
        const answer = await publishing.update(draft, request);
        if (answer.ok && answer.value.state !== 'conflicts') router.refresh();
        return answer;
      },
      checkRollBack: (label) => callAction(() => checkBack({ project, label })),
      rollBack: (label, expected, to) => changed(() => goBack({ project, request: { label, expected, to } })),
      save: (draft, message) => changed(() => saveAsRevision({ project, request: { draft, message } })),
      restore: (revision, draft) => changed(() => restore({ project, revision, draft })),
      makeDraft: (name, from) => changed(() => makeDraft({ project, request: { name, ...from } })),
      renameDraft: (draft, name) => changed(() => changeDraftName({ project, draft, name })),
      deleteDraft: (draft) => changed(() => dropDraft({ project, draft })),
      compare: (before, after) => callAction(() => compare({ project, before, after })),
      mirror: mirrorServices(project),
    };
  }, [project, router]);
  return (
    <AccessContext value={access}>
      <QueryProvider>
        <RevisionsView {...view} services={services} />
      </QueryProvider>
    </AccessContext>
  );
}
