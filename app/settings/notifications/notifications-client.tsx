'use client';

import { unwrapAction } from '@/app/call-action';
import {
  changeSecret,
  createMail,
  createWebhook,
  deleteTarget,
  readTargets,
  readTellLine,
  saveTellLine,
  sendTest,
} from '@/app/settings/notification-actions';
import { NotificationSection, type NotificationSectionProps } from '@/components/settings/notification-section';
import type { NotificationServices } from '@/components/settings/notification-types';
import { SettingsSection } from '@/components/settings/settings-section';

const services: NotificationServices = {
  read: () => unwrapAction(() => readTargets({})),
  addWebhook: (url, { project, groups }) => unwrapAction(() => createWebhook({ url, project, groups: [...groups] })),
  addMail: (address, { project, groups }, mayAnswer) =>
    unwrapAction(() => createMail({ address, project, groups: [...groups], mayAnswer })),
  readLine: (project) => unwrapAction(() => readTellLine({ project })),
  setLine: (project, line) => unwrapAction(() => saveTellLine({ project, ...line })),
  renewSecret: (id) => unwrapAction(() => changeSecret({ id })),
  remove: (id) => unwrapAction(() => deleteTarget({ id })),
  test: (id) => unwrapAction(() => sendTest({ id })),
};

/** Webhooks and mail addresses, with the requests that change them. */
export function NotificationsClient({ first, projects }: Pick<NotificationSectionProps, 'first' | 'projects'>) {
  return (
    <SettingsSection title="Notifications" isWholePage>
      <NotificationSection first={first} projects={projects} services={services} />
    </SettingsSection>
  );
}
