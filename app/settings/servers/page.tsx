import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { refusedPage, SettingsPage, titleOf } from '@/app/settings/settings-page';
import { listProjectNames } from '@/lib/server/projects';
import { ServersClient } from './servers-client';

export const metadata: Metadata = { title: titleOf('servers') };

const description = 'Of each project, tested as a run starts or calls them.';

/** The MCP servers of projects. */
export default async function ServersPage() {
  const actor = await pageActor();
  const refused = refusedPage(actor, 'servers', description);
  if (refused !== undefined) return refused;
  const first = await listProjectNames(actor, { limit: 20, action: 'run.start' }).catch(() => undefined);
  return (
    <SettingsPage id="servers" description={description}>
      <ServersClient first={first} />
    </SettingsPage>
  );
}
