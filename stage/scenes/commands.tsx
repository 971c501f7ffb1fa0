import { CommandsClient } from '@/app/settings/commands/commands-client';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { actionsOf } from '@/stage/memory/actions-of';
import { Refusal } from '@/stage/memory/backend';
import type { Scene, Screen } from '@/stage/scene';

type Actions = typeof import('@/app/settings/commands/actions');
type Command = Extract<Awaited<ReturnType<Actions['decide']>>, { readonly ok: true }>['value'];

const hour = 3_600_000;
const ago = (hours: number) => brandAs<EpochMs>(Date.now() - hours * hour);

const use = (project: string, projectName: string, askedBy: string | null) => ({
  ...{ project: brandAs<ProjectId>(project), projectName, name: 'server', file: 'fast-agent.yaml', line: 3 },
  ...{ usedBy: ["agent 'writer'"], askedBy, askedAt: askedBy === null ? null : ago(1), usedAt: null },
});

/** The command of a server, which was asked for. */
const command = (n: number, name: string, rest: Partial<Command> = {}): Command => ({
  ...{ id: `c${n}`, kind: 'stdio', name, command: 'npx', args: ['-y', `@example/${name}-server`], cwd: undefined },
  ...{ environment: [], filledBy: [], files: [], moreFiles: 0, status: 'asked', note: '', by: 'bo@example.org' },
  ...{ at: ago(n), warnings: [], changes: undefined, uses: [use('desk', 'Desk', 'bo@example.org')] },
  ...rest,
});

const commands: readonly Command[] = [
  command(1, 'mail', {
    args: ['-y', '@example/mail-server', '--root', `/srv/${'a-folder-with-a-long-name/'.repeat(6)}`, ''],
    environment: ['MAIL_HOST', 'MAIL_TOKEN'],
    warnings: ['The version of @example/mail-server is not fixed: what starts can change without a new question.'],
    changes: ['The argument --root is new.'],
  }),
  command(2, 'tools/dates.py', {
    ...{ kind: 'python', command: '', args: ['tools/dates.py:today', 'tools/dates.py:add_days'], moreFiles: 12 },
    files: [
      { path: 'tools/dates.py', hash: 'a'.repeat(64) },
      { path: 'packages/', hash: 'b'.repeat(64) },
    ],
  }),
  command(3, 'maps', {
    ...{ status: 'approved', by: 'ada@example.org', note: 'Only reads.', cwd: 'servers/maps' },
    uses: [use('desk', 'Desk', null), use('news', 'A newsroom with a name that is longer than the row', null)],
  }),
  command(4, 'office', {
    ...{ kind: 'shell', command: '', args: [], status: 'denied', by: 'ada@example.org' },
    note: 'Use the server for files instead.',
  }),
  command(5, 'calendar', { status: 'revoked', by: 'ada@example.org' }),
];

const scene = (name: string, first: readonly Command[], accounts: boolean): Scene => ({
  name,
  path: '/settings/commands',
  open: () => ({
    screen: <CommandsClient first={first} accounts={accounts} />,
    answers: actionsOf<Actions>('settings/commands/actions', {
      decide: ({ id, decision, note = '' }) => {
        const found = first.find((each) => each.id === id);
        if (found === undefined) throw new Refusal('not_found', 'There is no such command.', 404);
        const status = ({ approve: 'approved', deny: 'denied', revoke: 'revoked' } as const)[decision];
        return { ...found, status, note, by: 'ada@example.org', at: ago(0) };
      },
      readFile: ({ path }) => `# ${path}\ndef today():\n    ...\n`,
    }),
  }),
});

export const commandsScreen: Screen = {
  id: 'commands',
  title: 'Commands',
  scenes: [
    scene('in every state', commands, true),
    scene('nothing is asked for', [], true),
    scene('without accounts', [], false),
  ],
};
