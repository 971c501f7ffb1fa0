import type { PoolClient } from 'pg';
import { z } from 'zod';
import { parseJson } from '@/lib/base/json';
import { commandKinds } from '@/lib/cards/trust/command';
import { commandsInWords } from '@/lib/cards/trust/unapproved';
import type { NewNotice } from '@/lib/store/person-notices';

/** What the audit log has of a command that somebody asks for, or that an administrator decided about. */
interface CommandEntry extends Pick<NewNotice, 'projectId' | 'object' | 'by'> {
  readonly seq: string;
  readonly action: 'command.asked' | 'command.approved' | 'command.denied' | 'command.revoked';
  /** What the person is called. */
  readonly who: string;
  /** The name of the project. */
  readonly project: string;
}

/**
 * Returns what is told of an entry about a command: those who may approve hear that it is asked for, and who asked hears the decision. One
 * notice tells of all commands of one request, with the first of its entries.
 */
export async function commandNotices(client: PoolClient, entry: CommandEntry): Promise<readonly NewNotice[]> {
  const { seq, projectId, object, by, action, who, project } = entry;
  const commands = await commandsOfRequest(client, seq);
  if (commands.length === 0) return [];
  const what = `${commandsInWords(commands)} in ${project}`;
  const shared = { projectId, object, by };
  if (action === 'command.asked') {
    const people = await administrators(client);
    const words = `${who} asks for the approval of ${what}`;
    return [{ ...shared, kind: 'command.asked', words, href: '/settings/commands', people }];
  }
  const people = await askers(
    client,
    commands.map(({ id }) => id),
  );
  const decided = { ...shared, kind: 'command.decided', href: `/p/${projectId}`, people } as const;
  switch (action) {
    case 'command.approved':
      return [{ ...decided, words: `${who} approved ${what}` }];
    case 'command.denied':
      return [{ ...decided, words: `${who} denied ${what}` }];
    case 'command.revoked':
      return [
        { ...decided, words: `${who} revoked the approval of ${what}, so its runs are refused`, roles: ['admin'] },
      ];
  }
}

const commandBody = z.object({ kind: z.enum(commandKinds).catch('stdio'), name: z.string().catch('') });

/**
 * Returns the commands of the request whose first entry has this number; none if an entry of the same request comes before it. A request
 * writes its entries in one transaction, with numbers that follow each other.
 */
async function commandsOfRequest(client: PoolClient, seq: string) {
  const { rows } = await client.query<{ object: string; body: string }>(
    `SELECT each.object, each.body FROM "Audit" first JOIN "Audit" each
       ON each.seq >= first.seq AND each.xmin = first.xmin AND each.action = first.action AND each."projectId" = first."projectId"
     WHERE first.seq = $1 AND NOT EXISTS (SELECT 1 FROM "Audit" before
       WHERE before.seq = first.seq - 1 AND before.xmin = first.xmin AND before.action = first.action)
     ORDER BY each.body, each.seq`,
    [seq],
  );
  return rows.map(({ object, body }) => ({ id: object, ...commandBody.parse(parseJson(body) ?? {}) }));
}

async function administrators(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ email: string }>(`SELECT email FROM auth_user WHERE administrator`);
  return rows.map(({ email }) => email);
}

async function askers(client: PoolClient, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ by: string }>(
    `SELECT DISTINCT "askedBy" AS by FROM "CommandUse" WHERE "commandId" = ANY($1) AND "askedBy" IS NOT NULL`,
    [ids],
  );
  return rows.map(({ by }) => by);
}
