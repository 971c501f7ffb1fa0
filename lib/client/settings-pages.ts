/** A page of Settings, as lists of pages show it. */
export interface SettingsPage {
  readonly id: SettingsPageId;
  readonly href: string;
  /** The heading of the page, and its name in lists. */
  readonly title: string;
  /** Other words by which people look for the page. */
  readonly words: string;
  readonly group: SettingsGroup;
}

/** Who changes what is on a page: people here, the browser for itself, or the operator with a restart. */
export type SettingsGroup = 'This installation' | 'This browser' | 'Only at start';

export const settingsPageIds = [
  'keys',
  'secrets',
  'servers',
  'limits',
  'notifications',
  'retention',
  'people',
  'commands',
  'policy',
  'audit',
  'appearance',
  'environment',
] as const;
export type SettingsPageId = (typeof settingsPageIds)[number];

/** The pages in the order of the list. The first one has the address of Settings itself. */
export const settingsPages: readonly SettingsPage[] = [
  page('keys', 'Models and keys', 'provider api key openai anthropic google ollama address', '/settings'),
  page('secrets', 'Secrets', 'token password variable'),
  page('servers', 'MCP servers', 'tools test sign in oauth'),
  page('limits', 'Limits', 'budget runs cost disk'),
  page('notifications', 'Notifications', 'webhook mail email tell'),
  page('retention', 'Retention', 'delete old runs keep days'),
  page('people', 'People', 'accounts users invite administrators'),
  page('commands', 'Commands', 'approve start stdio'),
  page('policy', 'Policy', 'rules team'),
  page('audit', 'Audit log', 'who did what history'),
  { ...page('appearance', 'Appearance', 'theme dark light'), group: 'This browser' },
  {
    ...page('environment', 'Set at start', 'environment variables python shell database version proxy prices'),
    group: 'Only at start',
  },
];

function page(id: SettingsPageId, title: string, words: string, href = `/settings/${id}`): SettingsPage {
  return { id, href, title, words, group: 'This installation' };
}

/** Returns the page of an address; an address below a page belongs to it. */
export function settingsPageAt(path: string): SettingsPage | undefined {
  const [, , id] = path.split('/');
  return settingsPages.find((each) => each.id === (id ?? 'keys'));
}

/**
 * Returns the address of what was a section of one long page, by the fragment of its address. Links in older mails, notices and documents
 * have such addresses.
 */
export function settingsSectionHref(fragment: string): string | undefined {
  const id = fragment.replace(/^#/, '');
  const found = settingsPages.find((each) => each.id === id);
  return found === undefined || found.id === 'keys' ? undefined : found.href;
}
