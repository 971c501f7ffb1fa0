import type { ReactNode } from 'react';
import { KeysClient } from '@/app/settings/keys-client';
import { LimitsClient } from '@/app/settings/limits/limits-client';
import { NotificationsClient } from '@/app/settings/notifications/notifications-client';
import { RetentionClient } from '@/app/settings/retention/retention-client';
import { SecretsClient } from '@/app/settings/secrets/secrets-client';
import { ServersClient } from '@/app/settings/servers/servers-client';
import { SettingsPage } from '@/app/settings/settings-page';
import { EnvironmentView } from '@/components/settings/environment-view';
import type { ShownSecrets } from '@/components/settings/secret-types';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { SettingsSection } from '@/components/settings/settings-section';
import { ThemeChoice } from '@/components/settings/theme-choice';
import { noBudget, noRunLimits } from '@/lib/base/limits';
import { type SettingsPageId, settingsPageIds, settingsPages } from '@/lib/client/settings-pages';
import { actionsOf } from '@/stage/memory/actions-of';
import { type Answers, ofCall, Refusal } from '@/stage/memory/backend';
import { memorySecrets } from '@/stage/memory/secrets';
import type { Scene, Screen } from '@/stage/scene';
import * as full from './settings-state';

type SignInActions = typeof import('@/app/settings/sign-in-actions');
type NotificationActions = typeof import('@/app/settings/notification-actions');

const listSecrets = 'secret-actions.listSecrets';
const secretsOf = (secrets: ShownSecrets['secrets']): Answers => ({
  [listSecrets]: (): ShownSecrets => ({ secrets, unread: 0, needsBounds: true }),
});
const refused: Answers = {
  [listSecrets]: () => {
    throw new Refusal('unavailable', 'The database does not answer. Try again.', 503);
  },
};

/** The pages of somebody who administers nothing. */
const own: readonly SettingsPageId[] = settingsPageIds.filter(
  (id) => !['people', 'commands', 'environment'].includes(id),
);

const scene = (
  name: string,
  id: SettingsPageId,
  content: ReactNode,
  answers: Answers = {},
  pages: readonly SettingsPageId[] = settingsPageIds,
): Scene => ({
  name,
  path: settingsPages.find((each) => each.id === id)?.href ?? '/settings',
  open: () => ({
    screen: (
      <SettingsFrame pages={pages}>
        <SettingsPage id={id} description="One sentence about the page.">
          {content}
        </SettingsPage>
      </SettingsFrame>
    ),
    answers,
  }),
});

const someGiven = { environment: ['ANTHROPIC_API_KEY'], stored: ['OPENAI_API_KEY'] };
const noneGiven = { environment: [], stored: [] };
const desk = full.projects.slice(0, 1);

const serverAnswers: Answers = {
  ...actionsOf<SignInActions>('settings/sign-in-actions', {
    listSignIns: ({ project }) => (project === 'desk' ? [...full.signIns] : []),
  }),
  'GET /api/v1/projects': ofCall(({ query }) => {
    const found = full.projects.filter(({ name }) => name.toLowerCase().includes((query.text ?? '').toLowerCase()));
    return { projects: found, total: found.length };
  }),
  'GET /api/v1/projects/:project/files': ofCall(({ params }) => {
    if (params.project === 'news') throw new Refusal('unavailable', 'The files cannot be read now.', 503);
    return { version: 1, files: params.project === 'desk' ? { 'fast-agent.yaml': full.serverConfig } : {} };
  }),
};

const nobodyNotified = { targets: [], mailServer: undefined, publicUrl: undefined };
const notificationAnswers = (notified: typeof full.notified): Answers =>
  actionsOf<NotificationActions>('settings/notification-actions', {
    readTargets: () => notified,
    readTellLine: () => ({ usd: 0.5, seconds: undefined }),
  });
const findProjects: Answers = {
  'GET /api/v1/projects': () => ({ projects: full.projects, total: full.projects.length }),
};

export const settings: Screen = {
  id: 'settings',
  title: 'Settings',
  scenes: [
    scene(
      'keys for an administrator',
      'keys',
      <KeysClient projects={full.projects} installation given={someGiven} />,
      secretsOf(full.secrets),
    ),
    scene(
      'keys for somebody who manages a project',
      'keys',
      <KeysClient projects={desk} installation={false} given={someGiven} />,
      secretsOf([]),
      own,
    ),
    scene(
      'keys of a new installation',
      'keys',
      <KeysClient projects={[]} installation given={noneGiven} />,
      memorySecrets(),
    ),
    scene('keys without the database', 'keys', <KeysClient projects={[]} installation given={noneGiven} />, refused),
    scene(
      'secrets',
      'secrets',
      <SecretsClient projects={full.projects} project={undefined} installation />,
      secretsOf(full.secrets),
    ),
    scene('no secrets', 'secrets', <SecretsClient projects={[]} project={undefined} installation />, secretsOf([])),
    scene('servers', 'servers', <ServersClient first={{ projects: full.projects, total: 60 }} />, serverAnswers),
    scene('servers without the database', 'servers', <ServersClient first={undefined} />, serverAnswers),
    scene('limits', 'limits', <LimitsClient first={full.limited} />, findProjects),
    scene(
      'limits of a new installation',
      'limits',
      <LimitsClient
        first={{
          ...{ runs: noRunLimits, budget: noBudget, projects: [], administers: true },
          disk: { bytesPerProject: null, largest: [] },
        }}
      />,
    ),
    scene(
      'notifications',
      'notifications',
      <NotificationsClient first={full.notified} projects={full.projects} />,
      notificationAnswers(full.notified),
    ),
    scene(
      'nobody is notified',
      'notifications',
      <NotificationsClient first={nobodyNotified} projects={[]} />,
      notificationAnswers(nobodyNotified),
    ),
    scene('retention', 'retention', <RetentionClient first={full.kept} />, findProjects),
    scene('retention without the database', 'retention', <RetentionClient first={undefined} />),
    scene(
      'appearance',
      'appearance',
      <SettingsSection title="Appearance" isWholePage>
        <ThemeChoice />
      </SettingsSection>,
    ),
    scene('set at start', 'environment', <EnvironmentView groups={full.groups} envFile="/srv/callboard/app/.env" />),
  ],
};
