import type { PoolClient } from 'pg';
import type { Command } from '@/lib/cards/trust/command';
import { nameOfCommand } from '@/lib/cards/trust/unapproved';
import type { NewNotice } from '@/lib/store/person-notices';

/** What the audit log has of a command that somebody asks for, or that an administrator decided about. */
interface CommandEntry extends Pick<NewNotice, 'projectId' | 'object' | 'by'> {
  readonly action: 'command.asked' | 'command.approved' | 'command.denied' | 'command.revoked';
  /** What the person is called. */
  readonly who: string;
  /** The name of the project. */
  readonly project: string;
  readonly command: Pick<Command, 'kind' | 'name'>;
  readonly id: string;
}

/** Returns what is told of an entry about a command: those who may approve hear that it is asked for, and who asked hears the decision. */
export async function commandNotices(client: PoolClient, entry: CommandEntry): Promise<readonly NewNotice[]> {
  const { projectId, object, by, action, who, project, command, id } = entry;
  const what = `${nameOfCommand(command)} in ${project}`;
  const shared = { projectId, object, by };
  switch (action) {
    case 'command.asked': {
      const people = await administrators(client);
      const words = `${who} asks for the approval of ${what}`;
      return [{ ...shared, kind: 'command.asked', words, href: '/settings/commands', people }];
    }
    case 'command.approved':
    case 'command.denied': {
      const words = `${who} ${action === 'command.approved' ? 'approved' : 'denied'} ${what}`;
      return [{ ...shared, kind: 'command.decided', words, href: `/p/${projectId}`, people: await askers(client, id) }];
    }
    case 'command.revoked': {
      const words = `${who} revoked the approval of ${what}, so its runs are refused`;
      const people = await askers(client, id);
      return [{ ...shared, kind: 'command.decided', words, href: `/p/${projectId}`, people, roles: ['admin'] }];
    }
  }
}

async function administrators(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ email: string }>(`SELECT email FROM auth_user WHERE administrator`);
  return rows.map(({ email }) => email);
}

async function askers(client: PoolClient, id: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ by: string }>(
    `SELECT DISTINCT "askedBy" AS by FROM "CommandUse" WHERE "commandId" = $1 AND "askedBy" IS NOT NULL`,
    [id],
  );
  return rows.map(({ by }) => by);
}
