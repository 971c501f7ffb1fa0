import type { NewSecret, SecretServices } from '@/components/settings/secret-types';

/** Stores a key. One in place of another keeps the hosts and the projects to which that was limited. */
export async function storeKey(
  secrets: Pick<SecretServices, 'list' | 'save'>,
  project: string | undefined,
  key: Pick<NewSecret, 'name' | 'value'>,
): Promise<void> {
  const { secrets: stored } = await secrets.list(project);
  const { hosts = [], projects = [] } = stored.find(({ name }) => name === key.name) ?? {};
  await secrets.save(project, { ...key, hosts, projects });
}
