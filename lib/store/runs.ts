import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { FailedServer, RunError } from '@/lib/runtime/events';
import { noUsage, type Usage } from '@/lib/runtime/messages';
import type { Store } from './database';
import type { Prisma } from './generated/client';
import { fromJsonText, toJsonText } from './json-text';
import { type RunState, storedStatus } from './run-states';

export interface RunDetail {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly status: RunState;
  /** Undefined until a worker has begun. */
  readonly entryAgent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  readonly correlationId: CorrelationId;
  readonly scripted: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  readonly usage: Usage;
  /** Servers that agents were to use and that did not start: of each the line that says why. */
  readonly failedServers: readonly FailedServer[] | undefined;
  /** By model; undefined until the run has ended and its record is folded. */
  readonly modelUsage: Readonly<Record<string, Usage>> | undefined;
  /** Of the last event that is durable; 0 before the first. */
  readonly lastSeq: number;
  readonly treeHash: TreeHash;
  /** Hash of the list of capabilities (lib/cards/trust) that was confirmed when it was started, where one was asked for. */
  readonly confirmedHash: string | undefined;
}

export interface NewRun {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  readonly correlationId: CorrelationId;
  readonly agent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  /** Hash of the confirmed list it was started under; undefined where the project needs no confirmation. */
  readonly confirmedHash?: string | undefined;
}

export const storedError = z.object({ code: z.string(), message: z.string() });
export const storedServers = z.array(z.object({ name: z.string(), message: z.string() }));
export const storedUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number(),
  reasoningTokens: z.number(),
  modelCalls: z.number(),
});

/** Stores a run; its parameters are `runValues`. A statement may go on behind it, with RETURNING for example. */
export const insertRunSql = `
  INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", agent, message, model, "confirmedHash")
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** $1 to $8 of `insertRunSql`. */
export function runValues(run: NewRun): readonly (string | null)[] {
  return [
    run.id,
    run.projectId,
    run.treeHash,
    run.correlationId,
    run.agent ?? null,
    toJsonText(run.message),
    run.model ?? null,
    run.confirmedHash ?? null,
  ];
}

/** Throws AppError `not_found`. */
export async function findRun(store: Store, id: RunId): Promise<RunDetail> {
  const row = await store.prisma.run.findUnique({ where: { id }, include: besides });
  if (row === null) {
    throw new AppError(
      'not_found',
      'There is no such run. It may have gone with its project; go back to the list of runs.',
    );
  }
  return toDetail(row);
}

/** The project's newest run, whatever became of it; its message unless it is longer than `messageChars` as JSON. */
export async function findLastRun(
  store: Store,
  projectId: ProjectId,
  messageChars = 10_000,
): Promise<{ readonly id: RunId; readonly message: string | undefined } | undefined> {
  const { rows } = await store.pool.query<{ id: string; message: string | null }>(
    `SELECT id, CASE WHEN length(message) <= $2 THEN message END AS message FROM "Run"
     WHERE "projectId" = $1 ORDER BY "createdAt" DESC, id DESC LIMIT 1`,
    [projectId, messageChars],
  );
  const [last] = rows;
  if (last === undefined) return undefined;
  return { id: brandAs<RunId>(last.id), message: last.message === null ? undefined : fromJsonText(last.message) };
}

export async function findActiveRuns(store: Store, projectId: ProjectId): Promise<readonly RunId[]> {
  const where = { projectId, status: { in: ['queued', 'running'] } };
  const rows = await store.prisma.run.findMany({ where, select: { id: true } });
  return rows.map((row) => brandAs<RunId>(row.id));
}

const besides = { project: { select: { name: true } }, trace: { select: { modelUsage: true } } } as const;

type Row = Prisma.RunGetPayload<{ include: typeof besides }>;

function toDetail(row: Omit<Row, 'answer'> & Partial<Pick<Row, 'answer'>>): RunDetail {
  return {
    id: brandAs<RunId>(row.id),
    projectId: brandAs<ProjectId>(row.projectId),
    projectName: row.project.name,
    status: storedStatus.parse(row.status),
    entryAgent: row.entryAgent ?? row.agent ?? undefined,
    message: fromJsonText(row.message),
    model: row.model ?? undefined,
    correlationId: brandAs<CorrelationId>(row.correlationId),
    scripted: row.scripted,
    createdAt: row.createdAt,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    answer: row.answer == null ? undefined : fromJsonText(row.answer),
    error: row.error === null ? undefined : storedError.parse(JSON.parse(row.error)),
    usage: row.usage === null ? noUsage : storedUsage.parse(row.usage),
    failedServers: row.failedServers === null ? undefined : storedServers.parse(row.failedServers),
    modelUsage: row.trace === null ? undefined : z.record(z.string(), storedUsage).parse(row.trace.modelUsage),
    lastSeq: row.lastSeq,
    treeHash: brandAs<TreeHash>(row.treeHash),
    confirmedHash: row.confirmedHash ?? undefined,
  };
}
