'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { ActionResult } from '@/app/action';
import { callAction } from '@/app/call-action';
import { AccessContext } from '@/components/access/access-context';
import type { TriggerServices } from '@/components/triggers/trigger-types';
import { TriggersView, type TriggersViewProps } from '@/components/triggers/triggers-view';
import type { ProjectAccess } from '@/lib/base/project-access';
import { changeTrigger, deleteTrigger, dueTimes, makeTrigger, renewSecret, runNow } from './actions';

export function TriggersClient({
  access,
  ...view
}: { readonly access: ProjectAccess } & Omit<TriggersViewProps, 'services'>) {
  const { project } = view;
  const router = useRouter();
  const services = useMemo((): TriggerServices => {
    const changed = async <T,>(ask: () => Promise<ActionResult<T>>) => {
      const answer = await callAction(ask);
      router.refresh();
      return answer;
    };
    return {
      add: (request) => changed(() => makeTrigger({ project, request })),
      change: (trigger, request) => changed(() => changeTrigger({ project, trigger, request })),
      remove: (trigger) => changed(() => deleteTrigger({ project, trigger })),
      renew: (trigger) => changed(() => renewSecret({ project, trigger })),
      runNow: (trigger) => changed(() => runNow({ project, trigger })),
      dueTimes: (schedule) => callAction(() => dueTimes({ project, schedule })),
      refresh: () => router.refresh(),
    };
  }, [project, router]);
  return (
    <AccessContext value={access}>
      <TriggersView {...view} services={services} />
    </AccessContext>
  );
}
