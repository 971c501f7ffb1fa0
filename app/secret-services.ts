import type { SecretServices } from '@/components/settings/secret-types';
import type { KeyReport } from '@/lib/base/key-report';
import { tellKeysChanged } from '@/lib/client/stored-keys';
import type { ActionResult } from './action';
import { unwrapAction } from './call-action';
import { beginKeyTest, listSecrets, removeSecret, saveSecret } from './secret-actions';

/** The requests about secrets that the browser sends. */
export const secretServices: SecretServices = {
  list: (project) => unwrapAction(() => listSecrets({ project })),
  async save(project, secret) {
    const given = { project, ...secret, hosts: [...secret.hosts], projects: [...secret.projects] };
    const listed = await unwrapAction(() => saveSecret(given));
    tellKeysChanged();
    return listed;
  },
  async remove(project, name) {
    const listed = await unwrapAction(() => removeSecret({ project, name }));
    tellKeysChanged();
    return listed;
  },
  testKey: (project, name, value) => keyReport(() => beginKeyTest({ project, name, value })),
};

/** Waits for what a worker found at a provider. Rejects with an Error whose message users may see. */
export async function keyReport(begin: () => Promise<ActionResult<string>>): Promise<KeyReport> {
  // Every page has these services, and few ever test a key.
  const { waitForTask } = await import('@/lib/client/tasks');
  const answer = await waitForTask(await unwrapAction(begin));
  if (!answer.ok) throw new Error(answer.message);
  if (answer.kind !== 'key') throw new Error('The worker answered another question. Try again.');
  return answer.report;
}
