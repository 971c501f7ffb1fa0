import { folderOf } from '@/lib/cards/files';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { sealHookSecret } from '@/lib/store/hook-secret';
import { insertProject } from '@/lib/store/projects';
import { type OpeningKey, seal } from '@/lib/store/sealing';
import { labelOf, putSecret } from '@/lib/store/secrets';
import { localActor } from './local-actor';
import { storedTrigger } from './stored-trigger';

/** Fills a database with what a backup must keep: odd characters, values that the key seals, a firing, and the audit log. */
export async function fillForBackup(store: Store, key: OpeningKey, secret: string): Promise<void> {
  const project = await insertProject(store, 'Übung \\ "1"\n\t', folderOf({ 'a.md': 'a \\. b\n\\.\n' }), {
    origin: 'api',
  });
  const sealed = seal(secret, labelOf(project, 'TOKEN'), key);
  await putSecret(store, { id: 'secret-1', project, name: 'TOKEN', keyId: key.id, sealed, hosts: [] }, localActor);
  const trigger = await storedTrigger(store, project, { secret: sealHookSecret(secret, 'a', key), message: 'a\\\tb' });
  await store.prisma.triggerFiring.create({ data: { triggerId: trigger, key: 'message 1', runId: 'r' } });
  await appendAudit(store.pool, { actor: localActor, action: 'project.created', object: project, project });
}
