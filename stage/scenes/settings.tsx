import { SettingsClient } from '@/app/settings/settings-client';
import type { ShownSecrets } from '@/components/settings/secret-types';
import { noBudget, noRunLimits } from '@/lib/base/limits';
import { actionsOf } from '@/stage/memory/actions-of';
import { type Answers, ofCall, Refusal } from '@/stage/memory/backend';
import type { Scene, Screen } from '@/stage/scene';
import * as full from './settings-state';

const administrator: full.SettingsProps = {
  ...{ project: undefined, projects: { projects: full.projects, total: 60 }, managed: full.projects },
  ...{ kept: full.kept, notified: full.notified, limited: full.limited, groups: full.groups },
  ...{ manages: true, runs: true, administers: true, people: true, commands: true, audit: true },
  envFile: '/srv/callboard/app/.env',
};

/** Manages a project: sees no settings of the installation. */
const manager: full.SettingsProps = {
  ...administrator,
  ...{ administers: false, people: false, commands: false, groups: [] },
  projects: { projects: full.projects.slice(0, 1), total: 1 },
  managed: full.projects.slice(0, 1),
  limited: { ...full.limited, administers: false, projects: full.limited.projects.slice(0, 1) },
  kept: { ...full.kept, projects: [] },
  notified: { ...full.notified, mailServer: undefined, targets: full.notified.targets.slice(1, 2) },
};

const nobody: full.SettingsProps = {
  ...manager,
  ...{ manages: false, runs: false, audit: false, managed: [], projects: { projects: [], total: 0 } },
  ...{ kept: undefined, notified: undefined, limited: undefined },
};

const first: full.SettingsProps = {
  ...administrator,
  ...{ projects: { projects: [], total: 0 }, managed: [] },
  limited: {
    runs: noRunLimits,
    disk: { bytesPerProject: null, largest: [] },
    budget: noBudget,
    projects: [],
    administers: true,
  },
  kept: {
    ...{ kept: { runs: 0, active: 0, bytes: 0 }, rule: { maxAgeDays: null, maxBytes: null }, projects: [] },
    report: undefined,
  },
  notified: { targets: [], mailServer: undefined, publicUrl: undefined },
};

/** As app/settings/page.tsx has it when nothing of the database could be read. */
const withoutDatabase: full.SettingsProps = {
  ...administrator,
  ...{ projects: undefined, managed: [], kept: undefined, notified: undefined, limited: undefined },
};

type SignInActions = typeof import('@/app/settings/sign-in-actions');
type NotificationActions = typeof import('@/app/settings/notification-actions');

const listSecrets = 'settings/secret-actions.listSecrets';

/** The services that the sections ask as they open. */
const answersOf = ({ notified }: full.SettingsProps, secrets: typeof full.secrets): Answers => ({
  [listSecrets]: (): ShownSecrets => ({ secrets, unread: 0, needsBounds: true }),
  ...actionsOf<SignInActions>('settings/sign-in-actions', {
    listSignIns: ({ project }) => (project === 'desk' ? [...full.signIns] : []),
  }),
  ...actionsOf<NotificationActions>('settings/notification-actions', {
    readTargets: () => notified ?? { targets: [], mailServer: undefined, publicUrl: undefined },
    readTellLine: () => ({ usd: 0.5, seconds: undefined }),
  }),
  'GET /api/v1/projects': ofCall(({ query }) => {
    const found = full.projects.filter(({ name }) => name.toLowerCase().includes((query.text ?? '').toLowerCase()));
    return { projects: found, total: found.length };
  }),
  'GET /api/v1/projects/:project/files': ofCall(({ params }) => {
    if (params.project === 'news') throw new Refusal('unavailable', 'The files cannot be read now.', 503);
    return { version: 1, files: params.project === 'desk' ? { 'fast-agent.yaml': full.serverConfig } : {} };
  }),
});

const refused: Answers = {
  [listSecrets]: () => {
    throw new Refusal('unavailable', 'The database does not answer. Try again.', 503);
  },
};

const scene = (
  name: string,
  props: full.SettingsProps,
  answers: Answers = {},
  secrets: typeof full.secrets = full.secrets,
): Scene => ({
  name,
  path: '/settings',
  open: () => ({
    screen: <SettingsClient {...props} />,
    answers: { ...answersOf(props, secrets), ...answers },
  }),
});

export const settings: Screen = {
  id: 'settings',
  title: 'Settings',
  scenes: [
    scene('for an administrator', administrator),
    scene('for somebody who manages a project', manager),
    scene('for somebody who may nothing', nobody),
    scene('a new installation', first, {}, []),
    scene('without the database', withoutDatabase, refused),
  ],
};
