import { PolicyClient } from '@/app/settings/policy/policy-client';
import { Page } from '@/components/shell/page';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { actionsOf } from '@/stage/memory/actions-of';
import type { Scene, Screen } from '@/stage/scene';

type Actions = typeof import('@/app/settings/policy/actions');
type Policy = Extract<Awaited<ReturnType<Actions['readRules']>>, { readonly ok: true }>['value'];
type Rule = Policy['rules'][number];

const rule = (n: number, name: string, demand: Rule['demand'], rest: Partial<Rule> = {}): Rule => ({
  ...{ id: `r${n}`, name, level: 'block', demand, project: null, by: 'ada@example.org' },
  at: brandAs<EpochMs>(Date.now() - n * 3_600_000),
  ...rest,
});

const redacted = rule(1, 'Mail is redacted', {
  ...{ kind: 'hook', hook: 'hooks/guard.ts:guard', place: 'first' },
  ...{ tools: ['send', 'mail_*'], sources: ['mcp', 'function'] },
});
const rules: readonly Rule[] = [
  redacted,
  rule(2, 'Writes are approved', { kind: 'approval', tools: ['*'], writes: true, agents: ['lead', 'office'] }),
  rule(3, 'Servers of the house', {
    kind: 'servers',
    allow: ['*.example.org', `npx -y @team/${'tools-'.repeat(20)}*`],
  }),
  rule(4, 'Models of the contract', { kind: 'models', allow: ['openai.*', 'anthropic.*'] }, { level: 'warn' }),
  rule(5, 'No shell', { kind: 'no_shell' }),
  rule(6, 'No Python', { kind: 'no_python' }, { level: 'warn' }),
  rule(8, 'Nothing hidden', { kind: 'no_hidden_characters' }),
];
const all: Policy = { rules, breaches: [], mayChange: true };
const none: Policy = { rules: [], breaches: [], mayChange: true };

/** The rules that bind a project, its own and those of every project, and what the draft breaks. */
const ofDesk: Policy = {
  rules: [
    ...rules.slice(0, 2),
    rule(7, 'No news by mail', { kind: 'approval', tools: ['send'] }, { project: brandAs<ProjectId>('desk') }),
  ],
  breaches: [
    {
      ...{ rule: redacted, file: 'agents/writer.md', line: 7 },
      message: "The rule 'Mail is redacted' of your team is broken: calls of send do not go through the hook.",
    },
  ],
  mayChange: true,
};

const projects = [
  { id: 'desk', name: 'Desk' },
  { id: 'news', name: 'A newsroom with a name that is longer than the field that shows it' },
];

const description =
  'Rules that projects must meet. They are kept here, not in the folders, so that whoever edits a project cannot change them.';

const scene = (name: string, first: Policy, project?: string): Scene => ({
  name,
  path: project === undefined ? '/settings/policy' : `/settings/policy?project=${project}`,
  open: () => ({
    screen: (
      <Page title="Policy" description={description}>
        <PolicyClient project={project} projects={projects} first={first} />
      </Page>
    ),
    answers: actionsOf<Actions>('settings/policy/actions', {
      readRules: ({ project: asked }) => (asked === 'desk' ? ofDesk : first),
    }),
  }),
});

export const policy: Screen = {
  id: 'policy',
  title: 'Policy',
  scenes: [
    scene('several rules', all),
    scene('no rules', none),
    scene('broken in a project', ofDesk, 'desk'),
    scene('for somebody who may not change them', { ...all, mayChange: false }),
  ],
};
