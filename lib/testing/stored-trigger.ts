import { randomUUID } from 'node:crypto';
import type { ProjectId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { insertTrigger, type NewTrigger } from '@/lib/store/triggers';

/** Stores a schedule of every minute that is due now, or what `more` says. Returns its id. */
export async function storedTrigger(
  store: Store,
  projectId: ProjectId,
  more: Partial<Omit<NewTrigger, 'id' | 'projectId'>> = {},
): Promise<string> {
  const id = randomUUID();
  const trigger: NewTrigger = {
    ...{ id, projectId, kind: 'schedule', name: `every minute ${id.slice(0, 4)}`, target: { label: 'live' } },
    ...{ message: 'Go', schedule: { cron: '* * * * *', zone: 'UTC' }, nextAt: new Date(Date.now() - 1_000) },
    ...{ stopAfter: 5, by: 'local', secret: undefined, ...more },
  };
  await insertTrigger(store, trigger, { by: 'local', via: 'web' }, 100);
  return id;
}

/** Makes a schedule due a second ago. */
export async function makeTriggerDue(store: Store, id: string): Promise<void> {
  await store.prisma.trigger.update({ where: { id }, data: { nextAt: new Date(Date.now() - 1_000) } });
}
