import { expect, test } from 'vitest';
import type { NewSecret, ShownSecrets } from '@/components/settings/secret-types';
import { storeKey } from './store-key';

function secretsWith(...stored: readonly Pick<NewSecret, 'name' | 'hosts' | 'projects'>[]) {
  const saved: NewSecret[] = [];
  const listed: ShownSecrets = {
    secrets: stored.map((one) => ({ ...one, by: 'ada', at: 0, uses: [], namedBy: [] })),
    unread: 0,
    needsBounds: false,
  };
  const services = {
    list: async () => listed,
    save: async (_project: string | undefined, secret: NewSecret) => {
      saved.push(secret);
      return listed;
    },
  };
  return { services, saved };
}

test('a key in place of another keeps its hosts and projects; a new one has none', async () => {
  const { services, saved } = secretsWith({ name: 'OPENAI_API_KEY', hosts: ['api.openai.com'], projects: ['office'] });
  await storeKey(services, undefined, { name: 'OPENAI_API_KEY', value: 'sk-new-new-new' });
  await storeKey(services, undefined, { name: 'GEMINI_API_KEY', value: 'sk-new-new-new' });
  expect(saved.map(({ name, hosts, projects }) => [name, hosts, projects])).toEqual([
    ['OPENAI_API_KEY', ['api.openai.com'], ['office']],
    ['GEMINI_API_KEY', [], []],
  ]);
});
