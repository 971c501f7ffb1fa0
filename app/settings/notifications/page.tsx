import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { refusedPage, SettingsPage, titleOf } from '@/app/settings/settings-page';
import { readNotifications } from '@/lib/server/notifications';
import { listProjectNames } from '@/lib/server/projects';
import { NotificationsClient } from './notifications-client';

export const metadata: Metadata = { title: titleOf('notifications') };

const description = 'Who hears of what, by webhook and by mail.';

/** Who is told of questions, runs and reviews. */
export default async function NotificationsPage() {
  const actor = await pageActor();
  const refused = refusedPage(actor, 'notifications', description);
  if (refused !== undefined) return refused;
  const [first, managed] = await Promise.all([
    readNotifications(actor).catch(() => undefined),
    listProjectNames(actor, { limit: 20, action: 'secrets.set' }).catch(() => undefined),
  ]);
  return (
    <SettingsPage id="notifications" description={description}>
      <NotificationsClient first={first} projects={managed?.projects ?? []} />
    </SettingsPage>
  );
}
