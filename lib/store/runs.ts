import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { FailedServer, RunError } from '@/lib/runtime/events';
import { noUsage, type Usage } from '@/lib/runtime/messages';
import type { Store } from './database';
import { Prisma } from './generated/client';
import { fromJsonText, toJsonText } from './json-text';
import { containsPattern, escapeLike } from './like-pattern';
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

const storedError = z.object({ code: z.string(), message: z.string() });
const storedServers = z.array(z.object({ name: z.string(), message: z.string() }));
const storedUsage = z.object({
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

export interface RunFilter {
  readonly projectId?: ProjectId;
  readonly correlationId?: CorrelationId;
  readonly status?: RunState;
  /** Part of the entry agent's name, in any case. */
  readonly agent?: string;
  /** Part of the message, in any case. */
  readonly text?: string;
  readonly limit: number;
  /** Only groups whose newest run is older. */
  readonly before?: Date;
}

export interface RunGroup {
  readonly correlationId: CorrelationId;
  /** Newest first; all lists of a page together hold at most 2,000. */
  readonly runs: readonly RunDetail[];
  /** Runs in the group that the filter lets through, listed or not. */
  readonly runCount: number;
}

const maxListed = 2_000;

/** Groups of runs that share a correlation id, the group with the newest run first; `total` counts all groups. */
export async function findRunGroups(
  store: Store,
  filter: RunFilter,
): Promise<{ readonly groups: readonly RunGroup[]; readonly total: number }> {
  const { page, total } = await findGroupPage(store, filter);
  const rows = await store.prisma.run.findMany({
    where: { ...whereOf(filter), correlationId: { in: page.map((group) => group.correlationId) } },
    include: besides,
    // No list shows an answer, and one may have 32 MB.
    omit: { answer: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: maxListed,
  });
  const groups = page.map(({ correlationId, runCount }) => ({
    correlationId: brandAs<CorrelationId>(correlationId),
    runs: rows.filter((row) => row.correlationId === correlationId).map(toDetail),
    runCount,
  }));
  return { groups, total };
}

/** One pass over the runs gives the page and the count; the groups themselves, perhaps a hundred thousand, stay in the database. */
async function findGroupPage(store: Store, filter: RunFilter) {
  const older = filter.before === undefined ? Prisma.empty : Prisma.sql`WHERE newest < ${filter.before}`;
  const rows = await store.prisma.$queryRaw<
    { readonly total: number; readonly correlationId: string | null; readonly runCount: number }[]
  >`
    WITH each AS MATERIALIZED (
      SELECT "correlationId", count(*)::int AS "runCount", max("createdAt") AS newest
      FROM "Run" WHERE ${conditionOf(filter)} GROUP BY "correlationId"
    )
    SELECT counted.total, page."correlationId", page."runCount"
    FROM (SELECT count(*)::int AS total FROM each) counted
    LEFT JOIN (
      SELECT * FROM each ${older} ORDER BY newest DESC, "correlationId" LIMIT ${filter.limit}
    ) page ON true
    ORDER BY page.newest DESC, page."correlationId"`;
  const page = rows.flatMap(({ correlationId, runCount }) =>
    correlationId === null ? [] : [{ correlationId, runCount }],
  );
  return { page, total: rows[0]?.total ?? 0 };
}

/** As `whereOf`, in SQL. */
function conditionOf({ projectId, correlationId, status, agent, text }: RunFilter): Prisma.Sql {
  const parts = [Prisma.sql`true`];
  if (projectId !== undefined) parts.push(Prisma.sql`"projectId" = ${projectId}`);
  if (correlationId !== undefined) parts.push(Prisma.sql`"correlationId" = ${correlationId}`);
  if (status !== undefined) parts.push(Prisma.sql`status = ${status}`);
  if (agent !== undefined) {
    const pattern = containsPattern(agent);
    parts.push(Prisma.sql`("entryAgent" ILIKE ${pattern} OR agent ILIKE ${pattern})`);
  }
  if (text !== undefined) parts.push(Prisma.sql`message ILIKE ${containsPattern(asStored(text))}`);
  return Prisma.join(parts, ' AND ');
}

function whereOf({ projectId, correlationId, status, agent, text }: RunFilter): Prisma.RunWhereInput {
  const anyCase = (part: string) => ({ contains: escapeLike(part), mode: 'insensitive' as const });
  return {
    projectId,
    correlationId,
    status,
    ...(agent === undefined ? {} : { OR: [{ entryAgent: anyCase(agent) }, { agent: anyCase(agent) }] }),
    ...(text === undefined ? {} : { message: anyCase(asStored(text)) }),
  };
}

/** Messages are kept as JSON text, so quotes and line ends are looked for as they are written there. */
function asStored(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The project's newest run, whatever became of it. */
export async function findLastRun(store: Store, projectId: ProjectId): Promise<RunDetail | undefined> {
  const orderBy = [{ createdAt: 'desc' }, { id: 'asc' }] as const;
  const row = await store.prisma.run.findFirst({ where: { projectId }, include: besides, orderBy: [...orderBy] });
  return row === null ? undefined : toDetail(row);
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
