import { z } from 'zod';
import { type AgainKind, type AgainRequest, againKinds } from '@/lib/base/again';
import type { MessageFile } from '@/lib/base/conversation';
import type { FixtureRun } from '@/lib/base/fixture-result';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { LeftOut } from '@/lib/base/left-out';
import { leftOutList } from '@/lib/base/left-out-list';
import { marksOf, type RunMarks } from '@/lib/base/run-marks';
import { runMarks } from '@/lib/base/run-marks-fields';
import type { ScoreMean } from '@/lib/base/score';
import type { FailedServer, RunError } from '@/lib/runtime/record/events';
import { usage as usageSchema } from '@/lib/runtime/record/message-schema';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import { activeStates, type RunState, runStates } from '@/lib/trace/run-state';
import { firstText } from '@/lib/trace/run-summary';
import type { Store } from './database';
import { fromJsonText, fromJsonTextStart, toJsonText, toPlainJson, toPlainText } from './json-text';
import { fileInfoText, filesText, readFiles } from './message-files';
import { noRun } from './not-found';
import { searchedText } from './searched-text';

export interface RunDetail extends RunMarks {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly status: RunState;
  /** `undefined` until a worker has started the run. */
  readonly entryAgent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  readonly correlationId: CorrelationId;
  /** Who recorded the run: `callboard`, or the framework of an imported run. */
  readonly source: string;
  readonly scripted: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  readonly usage: Usage;
  /** Servers that did not start although agents use them, each with the first line of the reason. */
  readonly failedServers: readonly FailedServer[] | undefined;
  /** The usage of each model. It is `undefined` until the run has ended and its trace is stored. */
  readonly modelUsage: Readonly<Record<string, Usage>> | undefined;
  /** The `seq` of the last stored event; 0 before the first. */
  readonly lastSeq: number;
  readonly treeHash: TreeHash;
  /** The number of the revision that it ran. `undefined` for a run of a draft, and for runs of older versions. */
  readonly revision: number | undefined;
  /** The label by which the revision was chosen. */
  readonly label: string | undefined;
  /** The draft that it ran, by its name at that time. */
  readonly draft: string | undefined;
  /**
   * Who started it: a mail address, `local` without accounts, or `trigger:NAME`. `undefined` for imported runs, and for those of older
   * versions.
   */
  readonly startedBy: string | undefined;
  /** The mean of the scores of the run itself. */
  readonly score: ScoreMean | undefined;
  /** The trigger that started it. A deleted trigger has no name. */
  readonly trigger: TriggerOf | undefined;
  /**
   * The hash of the list of capabilities (lib/cards/trust) that was confirmed for this run, if it needed a confirmation.
   */
  readonly confirmedHash: string | undefined;
  /** The run that this one was made from. `undefined` if there is none, or if it was deleted. */
  readonly again: AgainOf | undefined;
  /** The conversation that the run is a turn of. */
  readonly conversationId: string | undefined;
  /** The run waits until the turn before has ended. */
  readonly isInLine: true | undefined;
  /** What it does without although its files have it. */
  readonly leftOut: readonly LeftOut[];
  /** The newest runs that were made from this one, newest first, at most 20. */
  readonly madeAgain: readonly MadeAgain[];
}

export interface TriggerOf {
  readonly id: string;
  readonly name: string | undefined;
}

export interface AgainOf {
  readonly of: RunId;
  readonly kind: AgainKind;
}

export interface MadeAgain {
  readonly id: RunId;
  readonly kind: AgainKind;
  readonly createdAt: Date;
}

export interface NewRun {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  /** The id of the revision that has the tree, and the label by which it was chosen. */
  readonly revisionId?: string | undefined;
  readonly label?: string | undefined;
  /** The draft that has the tree. */
  readonly draft?: string | undefined;
  readonly correlationId: CorrelationId;
  readonly agent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  /** Who starts it. */
  readonly startedBy?: string | undefined;
  /** The id of the trigger that starts it. */
  readonly trigger?: string | undefined;
  /** The hash of the confirmed list of capabilities; `undefined` if the project needs no confirmation. */
  readonly confirmedHash?: string | undefined;
  /** What the run takes from another one. */
  readonly again?: AgainRequest | undefined;
  /** Files that come with the message. */
  readonly attachments?: readonly MessageFile[] | undefined;
  /** The place of the run in a conversation. */
  readonly turn?: { readonly conversationId: string; readonly number: number; readonly isInLine: boolean } | undefined;
  /** The test that the run is. */
  readonly fixture?: FixtureRun | undefined;
  /** What the run does without although its files have it. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** What the caller says of the run. */
  readonly marks?: RunMarks | undefined;
}

const storedError = z.object({ code: z.string(), message: z.string() });
const storedServers = z.array(z.object({ name: z.string(), message: z.string() }));
const storedMean = z.object({ mean: z.number(), count: z.number() }).nullable();
const usageByModel = z.record(z.string(), usageSchema);

/** Inserts runs with the parameters of `runValues`. The statement may be continued, for example with RETURNING. */
export const insertRunsSql = `
  INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", agent, message, model, "confirmedHash", "againOf", again,
    attachments, "attachmentInfo", "conversationId", turn, "inLine", "startedBy", fixture, "fixtureMode", "revisionId", label, draft,
    "triggerId", "leftOut", texts, marks)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::int[], $15::bool[], $16::text[], $17::text[],
    $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::jsonb[])`;

/** The number of parameters of `insertRunsSql`. */
export const runValueCount = 25;

/** Returns the values for the parameters of `insertRunsSql`. */
export function runValues(runs: readonly NewRun[]): readonly (readonly (string | number | boolean | null)[])[] {
  return [
    runs.map((run) => run.id),
    runs.map((run) => run.projectId),
    runs.map((run) => run.treeHash),
    runs.map((run) => run.correlationId),
    runs.map((run) => run.agent ?? null),
    runs.map((run) => toJsonText(run.message)),
    runs.map((run) => run.model ?? null),
    runs.map((run) => run.confirmedHash ?? null),
    runs.map((run) => run.again?.run ?? null),
    runs.map((run) => (run.again === undefined ? null : JSON.stringify(run.again))),
    runs.map((run) => filesText(run.attachments)),
    runs.map((run) => fileInfoText(run.attachments)),
    runs.map((run) => run.turn?.conversationId ?? null),
    runs.map((run) => run.turn?.number ?? null),
    runs.map((run) => run.turn?.isInLine ?? false),
    runs.map((run) => (run.startedBy === undefined ? null : toPlainText(run.startedBy))),
    runs.map((run) => run.fixture?.name ?? null),
    runs.map((run) => run.fixture?.mode ?? null),
    runs.map((run) => run.revisionId ?? null),
    runs.map((run) => run.label ?? null),
    runs.map((run) => run.draft ?? null),
    runs.map((run) => run.trigger ?? null),
    runs.map(({ leftOut = [] }) => (leftOut.length === 0 ? null : JSON.stringify(leftOut))),
    runs.map((run) => searchedText(firstText(run.message))),
    runs.map((run) => marksText(run.marks)),
  ];
}

/** Writes marks for a column of type `jsonb`; null if there are none. */
export function marksText(marks: RunMarks | undefined): string | null {
  const kept = marksOf(marks ?? {});
  return Object.keys(kept).length === 0 ? null : toPlainJson(kept);
}

/**
 * Reads a run. With `textUnits`, at least so many UTF-16 units of message and answer are read. Without it both are read
 * whole, and may have 32 MB. Throws AppError `not_found`.
 */
export async function findRun(store: Store, id: RunId, textUnits?: number): Promise<RunDetail> {
  // JSON needs at most six characters for a unit. One more unit is read to tell the caller that the text goes on.
  const chars = textUnits === undefined ? null : 6 * (textUnits + 1) + 1;
  const { rows } = await store.pool.query<Row>(
    `SELECT run.id, run."projectId", run."treeHash", run."correlationId", run.status,
       COALESCE(run."entryAgent", run.agent) AS "entryAgent", run.model, run.source, run.scripted, run."createdAt", run."startedAt",
       run."finishedAt", run.error, run.usage, run."failedServers", run.marks, run."lastSeq", run."confirmedHash", run."conversationId",
       run."leftOut", run."inLine" AND run.status = 'queued' AS "isInLine", run."startedBy",
       CASE WHEN $2::int IS NULL THEN run.message ELSE left(run.message, $2::int) END AS message,
       CASE WHEN $2::int IS NULL THEN run.answer ELSE left(run.answer, $2::int) END AS answer,
       (SELECT name FROM "Project" project WHERE project.id = run."projectId") AS "projectName",
       (SELECT "modelUsage" FROM "RunTrace" trace WHERE trace."runId" = run.id) AS "modelUsage", ${againSql}, ${madeAgainSql},
       ${sourceSql}
     FROM "Run" run WHERE run.id = $1`,
    [id, chars],
  );
  const [row] = rows;
  if (row === undefined) throw noRun();
  const textOf = textUnits === undefined ? fromJsonText : fromJsonTextStart;
  return {
    ...toListed(row),
    message: textOf(row.message),
    answer: row.answer === null ? undefined : textOf(row.answer),
    lastSeq: row.lastSeq,
    confirmedHash: row.confirmedHash ?? undefined,
    conversationId: row.conversationId ?? undefined,
    isInLine: row.isInLine ? true : undefined,
    leftOut: row.leftOut === null ? [] : leftOutList.parse(JSON.parse(row.leftOut)),
    madeAgain: storedMadeAgain.parse(row.madeAgain ?? []),
  };
}

/** Selects what the files of `run` are called, the trigger that started it, and the mean of its scores. */
export const sourceSql = `
  (SELECT number FROM "Revision" revision WHERE revision.id = run."revisionId") AS revision, run.label, run.draft, run."triggerId",
  (SELECT name FROM "Trigger" t WHERE t.id = run."triggerId") AS "triggerName",
  (SELECT json_build_object('mean', mean, 'count', count) FROM "ScoreMean" s WHERE s."runId" = run.id AND s.name = '') AS score`;

/** Selects the run that `run` was made from, if it still exists, and how. */
export const againSql = `
  (SELECT old.id FROM "Run" old WHERE old.id = run."againOf") AS "againOf", run.again::json ->> 'kind' AS "againKind"`;

/** Selects the newest runs that were made from `run`, as JSON. */
const madeAgainSql = `
  (SELECT json_agg(made) FROM (
     SELECT id, again::json ->> 'kind' AS kind, "createdAt" FROM "Run"
     WHERE "againOf" = run.id ORDER BY "createdAt" DESC, id DESC LIMIT 20) made) AS "madeAgain"`;
const storedMadeAgain = z.array(
  z.object({
    id: z.string().transform((id) => brandAs<RunId>(id)),
    kind: z.string().nullable().transform(readKind),
    createdAt: z.coerce.date(),
  }),
);

function readKind(kind: string | null): AgainKind {
  return againKinds.find((one) => one === kind) ?? 'again';
}

/** Finds the tree that a run was started with. Throws AppError `not_found`. */
export async function findTreeOfRun(store: Store, id: RunId): Promise<TreeHash> {
  const { rows } = await store.pool.query<{ treeHash: string }>('SELECT "treeHash" FROM "Run" WHERE id = $1', [id]);
  const [row] = rows;
  if (row === undefined) throw noRun();
  return brandAs<TreeHash>(row.treeHash);
}

/**
 * Finds the newest run of the project in any state, with its message if that has at most `messageChars` characters as JSON.
 */
export async function findLastRun(
  store: Store,
  projectId: ProjectId,
  messageChars = 10_000,
): Promise<{ readonly id: RunId; readonly message: string | undefined } | undefined> {
  const { rows } = await store.pool.query<{ id: string; message: string | null }>(
    `SELECT id, CASE WHEN length(message) <= $2 THEN message END AS message FROM "Run"
     WHERE "projectId" = $1 AND fixture IS NULL ORDER BY "createdAt" DESC, id DESC LIMIT 1`,
    [projectId, messageChars],
  );
  const [last] = rows;
  if (last === undefined) return undefined;
  return { id: brandAs<RunId>(last.id), message: last.message === null ? undefined : fromJsonText(last.message) };
}

/** Reads the files that came with the message of a run. */
export async function findFilesOfRun(store: Store, id: RunId): Promise<readonly MessageFile[] | undefined> {
  const { rows } = await store.pool.query<{ attachments: string | null }>(
    'SELECT attachments FROM "Run" WHERE id = $1',
    [id],
  );
  return readFiles(rows[0]?.attachments ?? null);
}

export async function findActiveRuns(store: Store, projectId: ProjectId): Promise<readonly RunId[]> {
  const where = { projectId, status: { in: [...activeStates] } };
  const rows = await store.prisma.run.findMany({ where, select: { id: true } });
  return rows.map((row) => brandAs<RunId>(row.id));
}

/** A run without its texts, as queries here and in ./run-pages return it. */
export interface RunRow {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly treeHash: string;
  readonly correlationId: string;
  readonly status: string;
  readonly entryAgent: string | null;
  readonly model: string | null;
  readonly source: string;
  readonly scripted: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
  readonly usage: unknown;
  readonly failedServers: unknown;
  readonly modelUsage: unknown;
  readonly againOf: string | null;
  readonly againKind: string | null;
  readonly revision: number | null;
  readonly label: string | null;
  readonly draft: string | null;
  readonly startedBy: string | null;
  readonly triggerId: string | null;
  readonly triggerName: string | null;
  readonly score: unknown;
  readonly marks: unknown;
}

interface Row extends RunRow {
  readonly message: string;
  readonly answer: string | null;
  readonly lastSeq: number;
  readonly confirmedHash: string | null;
  readonly conversationId: string | null;
  readonly isInLine: boolean;
  readonly leftOut: string | null;
  readonly madeAgain: unknown;
}

export function toListed(
  row: RunRow,
): Omit<
  RunDetail,
  'message' | 'answer' | 'lastSeq' | 'confirmedHash' | 'conversationId' | 'isInLine' | 'leftOut' | 'madeAgain'
> {
  return {
    id: brandAs<RunId>(row.id),
    projectId: brandAs<ProjectId>(row.projectId),
    projectName: row.projectName,
    status: z.enum(runStates).parse(row.status),
    entryAgent: row.entryAgent ?? undefined,
    model: row.model ?? undefined,
    correlationId: brandAs<CorrelationId>(row.correlationId),
    source: row.source,
    scripted: row.scripted,
    createdAt: row.createdAt,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    error: row.error === null ? undefined : storedError.parse(JSON.parse(row.error)),
    usage: row.usage === null ? noUsage : usageSchema.parse(row.usage),
    failedServers: row.failedServers === null ? undefined : storedServers.parse(row.failedServers),
    modelUsage: row.modelUsage === null ? undefined : usageByModel.parse(row.modelUsage),
    treeHash: brandAs<TreeHash>(row.treeHash),
    revision: row.revision ?? undefined,
    label: row.label ?? undefined,
    draft: row.draft ?? undefined,
    startedBy: row.startedBy ?? undefined,
    trigger: row.triggerId === null ? undefined : { id: row.triggerId, name: row.triggerName ?? undefined },
    score: storedMean.parse(row.score) ?? undefined,
    again: row.againOf === null ? undefined : { of: brandAs<RunId>(row.againOf), kind: readKind(row.againKind) },
    ...(row.marks === null ? {} : marksOf(runMarks.parse(row.marks))),
  };
}
