import { AuditView, type AuditViewProps } from '@/components/settings/audit-view';
import { auditGroups } from '@/components/settings/audit-words';
import type { AuditAction } from '@/lib/base/audit';
import type { JsonObject } from '@/lib/base/json';
import type { Scene, Screen } from '@/stage/scene';

type Entry = AuditViewProps['entries'][number];

const entry = (seq: number, action: AuditAction, body: JsonObject, rest: Partial<Entry> = {}): Entry => ({
  ...{ seq, at: Date.now() - (100 - seq) * 3_600_000, actor: 'ada@example.org', via: 'web', action },
  ...{ object: 'desk', body: JSON.stringify(body), project: 'desk', projectName: 'Desk' },
  ...rest,
});

const everywhere = { project: null, projectName: null };
const several: readonly Entry[] = [
  entry(41, 'item.answered', { decision: 'deny', tool: 'send' }, { object: 'q17', via: 'link' }),
  entry(40, 'revision.promoted', { revision: 3, label: 'live' }),
  entry(39, 'member.set', { email: 'bo@example.org', role: 'editor', answers: false }, { object: 'u2' }),
  entry(38, 'secret.set', { hosts: ['mail.example.org'] }, { object: 'MAIL_TOKEN', ...everywhere }),
  entry(37, 'trigger.stopped', { name: 'Nightly', failures: 5 }, { actor: 'Callboard', via: 'worker' }),
  entry(...([36, 'gate.overridden' as const, { revision: 2, checks: 'tests', reason: 'word '.repeat(120) }] as const), {
    object: 'a'.repeat(64),
    actor: `${'cornelia-'.repeat(8)}marlowe@example.org`,
    via: 'api',
  }),
  entry(35, 'run.exported', { form: 'json' }, { object: 'run-7', project: 'gone', projectName: null }),
  entry(34, 'policy.set', { sentence: 'No agent may have a shell.' }, { object: 'No shell', ...everywhere }),
];
const many = Array.from({ length: 100 }, (_, n) => entry(100 - n, 'revision.published', { revision: 100 - n }));

const scene = (name: string, shown: Omit<AuditViewProps, 'query'>, query: AuditViewProps['query'] = {}): Scene => ({
  name,
  path: `/settings/audit?${new URLSearchParams(query)}`,
  open: () => ({ screen: <AuditView {...shown} query={query} />, answers: {} }),
});

export const audit: Screen = {
  id: 'audit',
  title: 'Audit log',
  scenes: [
    scene('several entries', { entries: several, next: null }),
    scene('empty', { entries: [], next: null }),
    scene('a hundred entries of a project', { entries: many, next: 1 }, { project: 'desk' }),
    scene('nothing matches', { entries: [], next: null }, { action: auditGroups[0]?.actions.join(',') ?? '' }),
  ],
};
