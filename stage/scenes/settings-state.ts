import type { EnvironmentViewProps } from '@/components/settings/environment-view';
import type { LimitsSectionProps } from '@/components/settings/limits-section';
import type { NotificationSectionProps } from '@/components/settings/notification-section';
import type { RetentionSectionProps } from '@/components/settings/retention-section';
import type { ShownSecret } from '@/components/settings/secret-types';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { NoticeInfo, TargetInfo } from '@/lib/base/notification-info';

/** What the settings show in scenes. */

const hour = 3_600_000;
const ago = (hours: number) => brandAs<EpochMs>(Date.now() - hours * hour);
const longName = 'A newsroom with a name that is longer than the field that shows it';

export const projects = [
  { id: 'desk', name: 'Desk' },
  { id: 'news', name: longName },
  { id: 'plain', name: 'Plain' },
];

/** Settings of the environment: one is set, one is missing, one is long. */
export const groups: EnvironmentViewProps['groups'] = [
  {
    title: 'Models',
    rows: [
      { label: 'OpenAI', variable: 'OPENAI_API_KEY', value: 'Set', isSet: true, hint: 'Serves models of openai.' },
      { label: 'Anthropic', variable: 'ANTHROPIC_API_KEY', value: 'Not set', isSet: false, hint: 'Serves Claude.' },
    ],
  },
  {
    title: 'This installation',
    rows: [
      {
        ...{ label: 'Database', variable: 'DATABASE_URL', isSet: true, hint: 'Postgres.' },
        value: `postgres://database.example.org:5432/${'callboard_of_the_newsroom_'.repeat(4)}`,
      },
      { label: 'Data folder', variable: 'CALLBOARD_DATA', value: '/srv/callboard/data', hint: 'Holds working copies.' },
    ],
  },
];

const secret = (name: string, rest: Partial<ShownSecret> = {}): ShownSecret => ({
  ...{ name, hosts: [], projects: [], by: 'ada@example.org', at: ago(50), uses: [], namedBy: [] },
  ...rest,
});
const naming = { project: 'desk', projectName: 'Desk', places: ['main draft', 'live (revision 3)'] };

/** A key of a provider, one for a server, one that nothing names. */
export const secrets: readonly ShownSecret[] = [
  secret('OPENAI_API_KEY', {
    namedBy: [{ ...naming, kind: 'provider', name: 'openai' }],
    uses: projects.map(({ id, name }) => ({ project: id, name, at: ago(1) })),
  }),
  secret('MAIL_TOKEN', {
    hosts: ['mail.example.org', 'mail.internal.of-the-newsroom.example.org'],
    namedBy: [{ ...naming, kind: 'server', name: 'mail' }],
  }),
  secret('A_VARIABLE_WITH_A_NAME_THAT_IS_MUCH_LONGER_THAN_NAMES_OF_VARIABLES_ARE'),
];

export const limited: NonNullable<LimitsSectionProps['first']> = {
  runs: { startsPerMinute: 60, activePerPerson: 100, activePerProject: null, longestMs: 86_400_000 },
  disk: {
    bytesPerProject: 5_000_000_000,
    largest: [
      { id: 'news', name: longName, bytes: 4_630_000_000 },
      { id: 'desk', name: 'Desk', bytes: 12_400_000 },
    ],
  },
  budget: { maxUsd: 20, maxTokens: null, maxRuns: 5_000 },
  administers: true,
  projects: [
    {
      ...{ id: 'desk', name: 'Desk', own: { maxUsd: 5, maxTokens: null, maxRuns: null, byAdministrator: true } },
      used: 'This month: $4.10, 812,000 tokens, 41 runs.',
      warnings: ['The runs of this project have used $4.10 of $5 in November 2026 (UTC).'],
    },
    {
      ...{ id: 'news', name: longName, own: undefined, warnings: [] },
      used: 'This month: $0, 0 tokens, 0 runs.',
    },
  ],
};

const sent: NoticeInfo = { id: 'n1', isTest: false, state: 'sent', attempts: 1, at: ago(2), error: undefined };
const failed: NoticeInfo = {
  ...{ id: 'n2', isTest: false, state: 'given up', attempts: 8, at: ago(30) },
  error: 'hooks.example.org answered 500.',
};
const target = (id: string, address: string, rest: Partial<TargetInfo> = {}): TargetInfo => ({
  ...{ id, address, kind: 'webhook', source: 'settings', projectName: undefined, mayAnswer: false },
  ...{ groups: ['questions', 'runs'], notices: [sent] },
  ...rest,
});

export const notified: NonNullable<NotificationSectionProps['first']> = {
  targets: [
    target('t1', `https://hooks.example.org/${'callboard-'.repeat(12)}`, { notices: [sent, failed] }),
    target('t2', 'desk@example.org', { kind: 'mail', mayAnswer: true, projectName: 'Desk', groups: ['questions'] }),
    target('t3', '', { source: 'environment', notices: [] }),
  ],
  mailServer: { host: 'mail.example.org', from: 'callboard@example.org' },
  publicUrl: 'https://callboard.example.org',
};

export const kept: NonNullable<RetentionSectionProps['first']> = {
  kept: { runs: 12_408, active: 3, bytes: 4_200_000_000 },
  rule: { maxAgeDays: 90, maxBytes: null },
  projects: [{ id: 'news', name: longName, rule: { maxAgeDays: 7, maxBytes: 100_000_000 } }],
  report: { at: ago(5), runs: 120, bytes: 38_000_000 },
};

/** A sign-in that works, and one that ended. */
export const signIns = [
  {
    ...{ id: 's1', server: 'mail', address: 'https://mail.example.org/mcp', provider: 'login.example.org' },
    ...{ by: 'ada@example.org', at: ago(70), expiresAt: ago(-1), refreshedAt: ago(1), usedAt: ago(1) },
    endedBecause: null,
  },
  {
    ...{ id: 's2', server: 'maps', address: `https://maps.example.org/${'a-long-path/'.repeat(8)}mcp` },
    ...{ provider: 'login.example.org', by: 'bo@example.org', at: ago(900), expiresAt: null, refreshedAt: null },
    ...{ usedAt: null, endedBecause: 'login.example.org refused to renew it.' },
  },
];

/** The configuration of a project with a server at an address and one that is a process. */
export const serverConfig = `mcp:
  servers:
    mail:
      url: https://mail.example.org/mcp
    files:
      command: npx
      args: [-y, '@example/${'files-of-the-desk-'.repeat(5)}server', --read-only]
`;
