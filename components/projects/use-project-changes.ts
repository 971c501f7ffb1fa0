'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { showToast } from '@/components/ui/toast';
import { expectFirstMessage } from '@/lib/client/first-message';
import type { ProjectCardData } from '@/lib/client/project-page';
import { messageOf } from './message-of';
import type { ProjectActions } from './project-types';

interface NewProject {
  readonly name: string | undefined;
  /** The template; `undefined` for a blank project. */
  readonly sample: string | undefined;
  /** True if the project opens with the cursor in the message of its first run. */
  readonly hasMessageNext?: boolean;
}

/** Creates, renames, duplicates and deletes projects. A refusal is shown as a toast. */
export function useProjectChanges(
  actions: ProjectActions,
  on: {
    /** Called after a rename or a deletion. */
    readonly onDone: () => void;
    /** Called before the list is requested again. */
    readonly onRemoved: (id: string) => void;
  },
) {
  const router = useRouter();
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: ['projects'] });
  const failed = (error: unknown) => showToast({ tone: 'bad', text: messageOf(error) });
  const open = (id: string) => {
    void changed();
    router.push(`/p/${id}`);
  };
  const create = useMutation({
    mutationFn: ({ name, sample }: NewProject) =>
      sample ? actions.createFromSample(sample, name) : actions.create(name ?? 'Untitled', undefined, () => {}),
    onSuccess: (id, { hasMessageNext }) => {
      if (hasMessageNext) expectFirstMessage(id);
      open(id);
    },
    onError: failed,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => actions.rename(id, name),
    onSuccess: () => {
      on.onDone();
      return changed();
    },
    onError: failed,
  });
  const duplicate = useMutation({ mutationFn: actions.duplicate, onSuccess: changed, onError: failed });
  const remove = useMutation({
    mutationFn: (project: ProjectCardData) => actions.remove(project.id),
    onSuccess: (_result, project) => {
      on.onRemoved(project.id);
      on.onDone();
      showToast({ tone: 'ok', text: `Deleted “${project.name}”.` });
      return changed();
    },
    onError: failed,
  });
  return { create, rename, duplicate, remove, open };
}
