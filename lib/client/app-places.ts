import { settingsPageIds, settingsPages } from './settings-pages';

/** Something that the command palette offers on every page: a page of the app, a page of Settings, or a command. */
export interface AppPlace {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  /** Other words that people use for it, in lower case. The command palette finds it by them. */
  readonly words: readonly string[];
}

/**
 * What a person must meet to be offered a place. `account`: people have accounts. `run.delete` and `project.create` are actions that the
 * person may do somewhere. `settings …` is a page of Settings that the person may open.
 */
export const placeNeeds = [
  ...(['account', 'run.delete', 'project.create'] as const),
  ...settingsPageIds.map((id) => `settings ${id}` as const),
];
export type PlaceNeed = (typeof placeNeeds)[number];

interface NeedyPlace extends AppPlace {
  readonly needs?: readonly PlaceNeed[];
}

/** The pages of the app that have no project, run or review in their address, but for those of Settings. */
export const appPages = [
  { id: 'projects', name: 'Projects', href: '/', words: ['home', 'start', 'all projects', 'folders'] },
  {
    id: 'runs',
    name: 'Runs',
    href: '/runs',
    words: ['history', 'executions', 'traces', 'logs', 'all runs', 'import runs', 'otlp', 'compare runs', 'failed'],
  },
  {
    id: 'dashboard',
    name: 'Dashboard',
    href: '/runs/dashboard',
    words: [
      'figures',
      'statistics',
      'charts',
      'cost',
      'spending',
      'error rate',
      'percentile',
      'p95',
      'monitoring',
      'metrics',
      'alerts',
      'alarms',
      'thresholds',
    ],
  },
  {
    id: 'bin',
    name: 'Bin',
    href: '/runs/bin',
    words: ['trash', 'deleted runs', 'restore', 'undelete', 'recycle', 'rubbish'],
    needs: ['run.delete'],
  },
  {
    id: 'inbox',
    name: 'Inbox',
    href: '/inbox',
    words: ['questions', 'approvals', 'approve', 'answer', 'waiting', 'human in the loop', 'requests'],
  },
  {
    id: 'notices',
    name: 'Notices',
    href: '/notices',
    words: ['notifications', 'bell', 'alerts', 'news', 'mentions'],
  },
  {
    id: 'account',
    name: 'Account',
    href: '/account',
    words: [
      ...['profile', 'me', 'password', 'passkey', 'sign out', 'log out', 'tokens', 'api token', 'sessions'],
      ...['second factor', '2fa'],
    ],
    needs: ['account'],
  },
] as const satisfies readonly NeedyPlace[];

/** The commands that lead to a page and open a dialog there. */
export const appDialogs = [
  {
    id: 'new-project',
    name: 'New project…',
    href: '/?open=new',
    words: ['create project', 'add project', 'template', 'blank', 'sample', 'start'],
    needs: ['project.create'],
  },
  {
    id: 'import-project',
    name: 'Import a project…',
    href: '/?open=import',
    words: ['upload', 'folder', 'zip', 'open', 'paste', 'load'],
    needs: ['project.create'],
  },
] as const satisfies readonly NeedyPlace[];

/** The commands that choose a theme, by the choice. */
export const themeCommands = [
  { id: 'light', name: 'Light theme', words: ['light mode', 'bright', 'white', 'appearance', 'colours', 'colors'] },
  { id: 'dark', name: 'Dark theme', words: ['dark mode', 'night', 'black', 'appearance', 'colours', 'colors'] },
  { id: 'system', name: 'Theme of the system', words: ['automatic', 'theme', 'appearance', 'dark mode', 'light mode'] },
] as const;

/** The pages of Settings, as places. */
export const settingsPlaces: readonly NeedyPlace[] = settingsPages.map(({ id, title, href, words }) => ({
  id: `settings ${id}`,
  name: title,
  href,
  words: ['settings', 'preferences', 'configuration', ...words.split(' ')],
  needs: [`settings ${id}` as const],
}));

/** Returns whether a person whose needs are met is offered a place. */
export function isNeedMet({ needs = [] }: NeedyPlace, met: readonly PlaceNeed[]): boolean {
  return needs.every((need) => met.includes(need));
}
