'use client';

import { unwrapAction } from '@/app/call-action';
import { editorServices } from '@/app/p/[project]/editor-services';
import type { LimitServices } from '@/components/settings/limit-types';
import { LimitsSection, type LimitsSectionProps } from '@/components/settings/limits-section';
import { NotificationSection, type NotificationSectionProps } from '@/components/settings/notification-section';
import type { NotificationServices } from '@/components/settings/notification-types';
import { RetentionSection, type RetentionSectionProps } from '@/components/settings/retention-section';
import type { RetentionServices } from '@/components/settings/retention-types';
import type { SecretServices } from '@/components/settings/secret-types';
import { SecretsSection } from '@/components/settings/secrets-section';
import { ServerSection, type ServerSectionProps } from '@/components/settings/server-section';
import { SettingsView, type SettingsViewProps } from '@/components/settings/settings-view';
import type { SignInServices } from '@/components/settings/sign-in-types';
import { findProjectNames } from '@/lib/client/projects';
import { waitForTask } from '@/lib/client/tasks';
import { previewRule, saveRule } from './actions';
import { saveBudget, saveLimits } from './limit-actions';
import {
  changeSecret,
  createMail,
  createWebhook,
  deleteTarget,
  readTargets,
  readTellLine,
  saveTellLine,
  sendTest,
} from './notification-actions';
import { beginKeyTest, listSecrets, removeSecret, saveSecret } from './secret-actions';
import { listSignIns, removeSignIn, startSignIn } from './sign-in-actions';

interface SettingsClientProps
  extends Omit<SettingsViewProps, 'secrets' | 'servers' | 'retention' | 'notifications' | 'limits'> {
  /** Whether the person manages a project or the installation. */
  readonly manages: boolean;
  /** Whether the person starts runs anywhere. */
  readonly runs: boolean;
  /** Whether the person administers the installation. */
  readonly administers: boolean;
  /** The projects whose settings the person changes. */
  readonly managed: readonly { readonly id: string; readonly name: string }[];
  readonly limited: LimitsSectionProps['first'];
  /** The project whose secrets are shown first. */
  readonly project: string | undefined;
  readonly projects: ServerSectionProps['first'];
  readonly kept: RetentionSectionProps['first'];
  readonly notified: NotificationSectionProps['first'];
}

const retention: RetentionServices = {
  preview: (rule, project) => unwrapAction(() => previewRule({ rule, project })),
  save: (rule, project) => unwrapAction(() => saveRule({ rule, project })),
  findProjects: findProjectNames,
};

const limits: LimitServices = {
  saveLimits: (limits) => unwrapAction(() => saveLimits(limits)),
  saveBudget: (project, budget) => unwrapAction(() => saveBudget({ project, budget })),
  findProjects: findProjectNames,
};

const secrets: SecretServices = {
  list: (project) => unwrapAction(() => listSecrets({ project })),
  save: (project, secret) =>
    unwrapAction(() => saveSecret({ project, ...secret, hosts: [...secret.hosts], projects: [...secret.projects] })),
  remove: (project, name) => unwrapAction(() => removeSecret({ project, name })),
  async testKey(project, name, value) {
    const answer = await waitForTask(await unwrapAction(() => beginKeyTest({ project, name, value })));
    if (!answer.ok) throw new Error(answer.message);
    if (answer.kind !== 'key') throw new Error('The worker answered another question. Try again.');
    return answer.report;
  },
};

const signIns: SignInServices = {
  list: (project) => unwrapAction(() => listSignIns({ project })),
  async begin(project, server) {
    const answer = await waitForTask(await unwrapAction(() => startSignIn({ project, server })));
    if (!answer.ok) throw new Error(answer.message);
    if (answer.kind !== 'sign-in') throw new Error('The worker answered another question. Try again.');
    return { host: answer.host, href: `/oauth/mcp/start?attempt=${encodeURIComponent(answer.attempt)}` };
  },
  forget: (project, signIn) => unwrapAction(() => removeSignIn({ project, signIn })),
};

const notifications: NotificationServices = {
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

/** The settings, with the requests that test a server and change rules and addresses. */
export function SettingsClient(props: SettingsClientProps) {
  const { manages, runs, administers, managed, projects, project, kept, notified, limited, ...view } = props;
  return (
    <SettingsView
      {...view}
      secrets={
        manages ? (
          <SecretsSection projects={managed} project={project} installation={administers} services={secrets} />
        ) : undefined
      }
      servers={runs ? <ServerSection first={projects} servicesOf={editorServices} signIns={signIns} /> : undefined}
      limits={manages ? <LimitsSection first={limited} services={limits} /> : undefined}
      notifications={
        manages ? <NotificationSection first={notified} projects={managed} services={notifications} /> : undefined
      }
      retention={manages ? <RetentionSection first={kept} services={retention} /> : undefined}
    />
  );
}
