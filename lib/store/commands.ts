import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import type { AuditAction } from '@/lib/base/audit';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { type Command, commandKinds } from '@/lib/cards/trust/command';
import type { FilledBy } from '@/lib/cards/trust/command-warnings';
import { appendAudit, appendAudits } from './audit';
import type { BoundCommand } from './bound-commands';
import type { Store } from './database';
import { toPlainText } from './json-text';
import { transaction } from './transaction';

/** `revoked`: it was approved before. */
export const commandStatuses = ['asked', 'approved', 'denied', 'revoked'] as const;
export type CommandStatus = (typeof commandStatuses)[number];

/** A command as it was asked for, and what was decided. */
export interface CommandRow extends Omit<Command, 'usedBy' | 'file' | 'line' | 'hash' | 'filledBy'> {
  readonly id: string;
  readonly status: CommandStatus;
  readonly note: string;
  /** Who asked or decided last, and when. */
  readonly by: string;
  readonly at: EpochMs;
  /** The variables whose values decided what starts when it was asked for, and who had set them. */
  readonly filledBy: readonly FilledBy[];
  /** The project that asks for it or uses it. */
  readonly uses: readonly CommandUse[];
}

export interface CommandUse {
  readonly project: ProjectId;
  readonly projectName: string;
  /** Its name there. */
  readonly name: string;
  readonly usedBy: readonly string[];
  readonly file: string;
  readonly line: number;
  readonly askedBy: string | null;
  readonly askedAt: EpochMs | null;
  /** The day on which a run or a task last started with it. */
  readonly usedAt: EpochMs | null;
}

export interface CommandState {
  readonly id: string;
  readonly status: CommandStatus;
  readonly note: string;
  readonly by: string;
  readonly at: EpochMs;
}

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const state = z.object({
  id: z.string(),
  status: z.enum(commandStatuses),
  note: z.string(),
  by: z.string(),
  at: epoch,
});
const row = state.extend({
  kind: z.enum(commandKinds),
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z
    .string()
    .nullable()
    .transform((cwd) => cwd ?? undefined),
  environment: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), hash: z.string() })),
  moreFiles: z.number(),
  filledBy: z.array(
    z.object({
      name: z.string(),
      by: z
        .string()
        .optional()
        .transform((by) => by),
    }),
  ),
  uses: z.array(
    z.object({
      project: z.string().transform((id) => brandAs<ProjectId>(id)),
      projectName: z.string(),
      name: z.string(),
      usedBy: z.array(z.string()),
      file: z.string(),
      line: z.number(),
      askedBy: z.string().nullable(),
      askedAt: epoch.nullable(),
      usedAt: epoch.nullable(),
    }),
  ),
});

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
const stateColumns = `id, status, note, by, ${ms('at')} AS at`;
const rowColumns = `${stateColumns}, kind, name, command, args, cwd, environment, files, "moreFiles", "filledBy", COALESCE((
  SELECT json_agg(json_build_object('project', p.id, 'projectName', p.name, 'name', u.name, 'usedBy', u."usedBy",
    'file', u.file, 'line', u.line, 'askedBy', u."askedBy", 'askedAt', ${ms('u."askedAt"')},
    'usedAt', ${ms('u."usedAt"')}) ORDER BY p.name, p.id)
  FROM "CommandUse" u JOIN "Project" p ON p.id = u."projectId" WHERE u."commandId" = c.id), '[]') AS uses`;

/** Returns what is known of these commands, by id. */
export async function findCommandStates(
  store: Pick<Store, 'pool'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommandState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await store.pool.query(`SELECT ${stateColumns} FROM "CommandApproval" WHERE id = ANY($1)`, [
    [...ids],
  ]);
  return new Map(
    z
      .array(state)
      .parse(rows)
      .map((found) => [found.id, found]),
  );
}

/** Returns those commands that no administrator has approved. */
export async function findUnapproved(
  store: Pick<Store, 'pool'>,
  commands: readonly BoundCommand[],
): Promise<readonly BoundCommand[]> {
  const states = await findCommandStates(
    store,
    commands.map(({ id }) => id),
  );
  return commands.filter(({ id }) => states.get(id)?.status !== 'approved');
}

/** Lists commands: first those that are asked for, then the newest. `status` narrows the list. */
export async function listCommandRows(
  store: Store,
  { status, limit }: { readonly status?: CommandStatus | undefined; readonly limit: number },
): Promise<readonly CommandRow[]> {
  const { rows } = await store.pool.query(
    `SELECT ${rowColumns} FROM "CommandApproval" c WHERE $1::text IS NULL OR status = $1
     ORDER BY status <> 'asked', c.at DESC, id LIMIT $2`,
    [status ?? null, limit],
  );
  return z.array(row).parse(rows);
}

export async function findCommandRow(store: Store, id: string): Promise<CommandRow | undefined> {
  const { rows } = await store.pool.query(`SELECT ${rowColumns} FROM "CommandApproval" c WHERE id = $1`, [id]);
  return z.array(row).parse(rows)[0];
}

/**
 * Returns the command of a project with this name and kind that was approved last, other than `id`. It is what a changed one is
 * compared with.
 */
export async function findApprovedBefore(
  store: Store,
  { id, kind, uses }: Pick<CommandRow, 'id' | 'kind' | 'uses'>,
): Promise<CommandRow | undefined> {
  const { rows } = await store.pool.query(
    `SELECT ${rowColumns} FROM "CommandApproval" c WHERE id <> $1 AND kind = $2 AND status = 'approved' AND EXISTS (
       SELECT 1 FROM "CommandUse" mine JOIN unnest($3::text[], $4::text[]) asked(project, name)
         ON mine."projectId" = asked.project AND mine.name = asked.name WHERE mine."commandId" = c.id)
     ORDER BY c.at DESC, id LIMIT 1`,
    [id, kind, uses.map(({ project }) => project), uses.map(({ name }) => name)],
  );
  return z.array(row).parse(rows)[0];
}

/**
 * Stores that these commands of a project are asked for, or with `approved` that an administrator approves them. An approved one stays
 * approved.
 */
export async function putCommands(
  store: Store,
  { project, commands, status }: PutCommands,
  actor: Actor,
): Promise<void> {
  // The same order everywhere, so that two askers do not wait for each other.
  const listed = commands.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await transaction(store, async (connection) => {
    const changed: BoundCommand[] = [];
    for (const bound of listed) {
      const { id, command } = bound;
      const { rowCount } = await connection.query(
        `INSERT INTO "CommandApproval" (id, kind, name, command, args, cwd, environment, files, "moreFiles", status, by, "filledBy")
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (id) DO UPDATE SET status = $10, by = $11, at = now(), note = CASE WHEN $10 = 'asked' THEN "CommandApproval".note ELSE '' END
         WHERE "CommandApproval".status NOT IN ('approved', $10)`,
        [
          id,
          command.kind,
          toPlainText(command.name),
          toPlainText(command.command),
          command.args.map(toPlainText),
          command.cwd === undefined ? null : toPlainText(command.cwd),
          command.environment.map(toPlainText),
          JSON.stringify(command.files.map(({ path, hash }) => ({ path: toPlainText(path), hash }))),
          command.moreFiles,
          status,
          actor.by,
          JSON.stringify(bound.filledBy),
        ],
      );
      await connection.query(
        `INSERT INTO "CommandUse" ("commandId", "projectId", name, "usedBy", file, line, "askedBy", "askedAt")
         VALUES ($1, $2, $3, $4, $5, $6, $7, now())
         ON CONFLICT ("commandId", "projectId") DO UPDATE SET name = $3, "usedBy" = $4, file = $5, line = $6,
           "askedBy" = CASE WHEN $8 THEN $7 ELSE COALESCE("CommandUse"."askedBy", $7) END,
           "askedAt" = CASE WHEN $8 THEN now() ELSE COALESCE("CommandUse"."askedAt", now()) END`,
        [
          id,
          project,
          toPlainText(command.name),
          command.usedBy.map(toPlainText),
          toPlainText(command.file),
          command.line,
          actor.by,
          status === 'asked',
        ],
      );
      if ((rowCount ?? 0) > 0) changed.push(bound);
    }
    const action: AuditAction = status === 'asked' ? 'command.asked' : 'command.approved';
    await appendAudits(
      connection,
      changed.map(({ id, command: { kind, name } }) => ({ actor, action, object: id, project, body: { kind, name } })),
    );
  });
}

interface PutCommands {
  readonly project: ProjectId;
  readonly commands: readonly BoundCommand[];
  readonly status: 'asked' | 'approved';
}

export type CommandDecision = 'approve' | 'deny' | 'revoke';

const decisions: Readonly<
  Record<
    CommandDecision,
    { readonly to: CommandStatus; readonly from: readonly CommandStatus[]; readonly action: AuditAction }
  >
> = {
  approve: { to: 'approved', from: ['asked', 'denied', 'revoked'], action: 'command.approved' },
  deny: { to: 'denied', from: ['asked'], action: 'command.denied' },
  revoke: { to: 'revoked', from: ['approved'], action: 'command.revoked' },
};

/** Decides about a command. Returns false if its status does not allow that (any more). */
export async function decideCommandRow(
  store: Store,
  id: string,
  { decision, note }: { readonly decision: CommandDecision; readonly note: string },
  actor: Actor,
): Promise<boolean> {
  const { to, from, action } = decisions[decision];
  return await transaction(store, async (connection) => {
    const { rows } = await connection.query<{ kind: string; name: string }>(
      `UPDATE "CommandApproval" SET status = $2, note = $3, by = $4, at = now() WHERE id = $1 AND status = ANY($5)
       RETURNING kind, name`,
      [id, to, toPlainText(note), actor.by, [...from]],
    );
    const [decided] = rows;
    if (decided === undefined) return false;
    // The id of a command is made of its project, so there is one.
    const { rows: uses } = await connection.query<{ projectId: string }>(
      `SELECT "projectId" FROM "CommandUse" WHERE "commandId" = $1 LIMIT 1`,
      [id],
    );
    const project = uses[0] && brandAs<ProjectId>(uses[0].projectId);
    await appendAudit(connection, { actor, action, object: id, project, body: { ...decided, note } });
    return true;
  });
}

/** Notes that a project uses these approved commands. Writes at most once a day for each. */
export async function noteCommandUses(
  store: Store,
  project: ProjectId,
  commands: readonly BoundCommand[],
): Promise<void> {
  for (const { id, command } of commands) {
    await store.pool.query(
      `INSERT INTO "CommandUse" ("commandId", "projectId", name, "usedBy", file, line, "usedAt")
       SELECT id, $2, $3, $4, $5, $6, now() FROM "CommandApproval" WHERE id = $1
       ON CONFLICT ("commandId", "projectId") DO UPDATE SET name = $3, "usedBy" = $4, file = $5, line = $6, "usedAt" = now()
       WHERE "CommandUse"."usedAt" IS NULL OR "CommandUse"."usedAt" < date_trunc('day', now())`,
      [
        id,
        project,
        toPlainText(command.name),
        command.usedBy.map(toPlainText),
        toPlainText(command.file),
        command.line,
      ],
    );
  }
}
