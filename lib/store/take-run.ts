import { z } from 'zod';
import type { AgainRequest } from '@/lib/base/again';
import { againRequest } from '@/lib/base/again-request';
import { type FixtureRun, fixtureModes } from '@/lib/base/fixture-result';
import { brandAs, type CorrelationId, type EpochMs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { leftOutList } from '@/lib/base/left-out-list';
import { runMarks } from '@/lib/base/run-marks-fields';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { RunRequest } from '@/lib/runtime/request/run-request';
import type { Store } from './database';
import { fromJsonText } from './json-text';
import { readFiles } from './message-files';
import { type ProjectOrigin, readOrigin } from './trust';

export interface TakenRun {
  readonly request: RunRequest;
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  /** The new epoch of the run. Writers with an older epoch can no longer append. */
  readonly epoch: number;
  /** The `seq` of the last stored event; 0 if there is none. */
  readonly lastSeq: number;
  /** The time of the last stored event in epoch milliseconds; `undefined` if there is none. */
  readonly lastAt: EpochMs | undefined;
  /** The number of this attempt. It starts at 1 again after each attempt that recorded the outcome of a step. */
  readonly attempts: number;
  /** The number of earlier attempts in which the run blocked the main thread of its worker. */
  readonly freezes: number;
  readonly cancelRequested: boolean;
  /** Who brought the project's folder. */
  readonly origin: ProjectOrigin;
  /** The same as in `NewRun` in ./runs. */
  readonly confirmedHash: string | undefined;
  /** What the run takes from another one. */
  readonly again: AgainRequest | undefined;
  /** The test that the run is. */
  readonly fixture: FixtureRun | undefined;
  /** True if results are pinned in the project. */
  readonly hasPins: boolean;
  /** True if approvals are remembered in the project. */
  readonly hasGrants: boolean;
  /** True if the project or the installation has secrets. */
  readonly hasSecrets: boolean;
  /** True if somebody signed in at an MCP server for the project. */
  readonly hasSignIns: boolean;
  /** How often the run was suspended before. */
  readonly stint: number;
}

const row = z.object({
  treeHash: z.string(),
  correlationId: z.string(),
  agent: z.string().nullable(),
  message: z.string(),
  model: z.string().nullable(),
  epoch: z.number(),
  lastSeq: z.number(),
  lastAt: z.number().nullable(),
  attempts: z.number(),
  freezes: z.number(),
  cancelRequested: z.boolean(),
  origin: z.string(),
  confirmedHash: z.string().nullable(),
  again: z.string().nullable(),
  conversationId: z.string().nullable(),
  attachments: z.string().nullable(),
  hasPins: z.boolean(),
  hasGrants: z.boolean(),
  hasSecrets: z.boolean(),
  hasSignIns: z.boolean(),
  stint: z.number(),
  projectId: z.string(),
  fixture: z.string().nullable(),
  fixtureMode: z.enum(fixtureModes).nullable(),
  leftOut: z.string().nullable(),
  marks: runMarks.nullable(),
});

/**
 * Lists the events that count as progress of a resumed run. The end of a hook is no progress, because hooks of a call that
 * was in flight run again in every attempt.
 */
const progressKinds: readonly RunEvent['kind'][] = [
  'model.ended',
  'tool.returned',
  'tool.ended',
  'instance.ended',
  'person.asked',
  'person.answered',
];

export function isProgress(kind: RunEvent['kind']): boolean {
  return progressKinds.includes(kind);
}

const progressed = `EXISTS (
  SELECT 1 FROM "Event" e WHERE e."runId" = r.id AND e.seq > r."attemptSeq" AND e.kind = ANY($4))`;

export interface TakeOptions {
  /** `new`: the run is only taken if no worker has ever started it. */
  readonly only?: 'new';
  /** The workflow that executes the run. A workflow of an earlier stint must not take it. By default any may. */
  readonly workflowId?: string;
}

/**
 * Makes `worker` the only writer of the run. Returns `undefined` when the run has ended, was deleted or is suspended, or may not
 * be taken because of the options.
 */
export async function takeRun(
  store: Store,
  runId: RunId,
  worker: string,
  { only, workflowId }: TakeOptions = {},
): Promise<TakenRun | undefined> {
  const { rows } = await store.pool.query({
    name: 'take-run',
    text: `UPDATE "Run" r SET
       epoch = epoch + 1, worker = $2, status = 'running', "attemptSeq" = "lastSeq",
       attempts = CASE WHEN ${progressed} THEN 1 ELSE attempts + 1 END,
       freezes = CASE WHEN ${progressed} THEN 0 ELSE freezes END
     WHERE id = $1 AND (status = 'queued' OR (status = 'running' AND NOT $3)) AND (stint = 0 OR NOT $3)
       AND COALESCE("workflowId", id) = COALESCE($5, "workflowId", id)
     RETURNING "treeHash", "correlationId", agent, message, model, epoch, "lastSeq", attempts, freezes,
       (SELECT at FROM "Event" e WHERE e."runId" = r.id AND e.seq = r."lastSeq") AS "lastAt",
       "cancelRequestedAt" IS NOT NULL AS "cancelRequested", "confirmedHash", again, stint, "projectId",
       "conversationId", attachments, fixture, "fixtureMode", "leftOut", marks,
       EXISTS (SELECT 1 FROM "Pin" pin WHERE pin."projectId" = r."projectId") AS "hasPins",
       EXISTS (SELECT 1 FROM "Grant" g WHERE g."projectId" = r."projectId") AS "hasGrants",
       EXISTS (SELECT 1 FROM "Secret" s WHERE s."projectId" IS NULL OR s."projectId" = r."projectId") AS "hasSecrets",
       EXISTS (SELECT 1 FROM "McpSignIn" i WHERE i."projectId" = r."projectId") AS "hasSignIns",
       (SELECT p.origin FROM "Project" p WHERE p.id = r."projectId") AS origin`,
    values: [runId, worker, only === 'new', progressKinds, workflowId],
  });
  if (rows.length === 0) return undefined;
  const taken = row.parse(rows[0]);
  return {
    request: {
      runId,
      correlationId: brandAs<CorrelationId>(taken.correlationId),
      agent: taken.agent ?? undefined,
      message: fromJsonText(taken.message),
      model: taken.model ?? undefined,
      attachments: readFiles(taken.attachments),
      conversation: taken.conversationId ?? undefined,
      leftOut: taken.leftOut === null ? undefined : leftOutList.parse(JSON.parse(taken.leftOut)),
      marks: taken.marks ?? undefined,
    },
    treeHash: brandAs<TreeHash>(taken.treeHash),
    epoch: taken.epoch,
    lastSeq: taken.lastSeq,
    lastAt: taken.lastAt === null ? undefined : brandAs<EpochMs>(taken.lastAt),
    attempts: taken.attempts,
    freezes: taken.freezes,
    cancelRequested: taken.cancelRequested,
    origin: readOrigin(taken.origin),
    confirmedHash: taken.confirmedHash ?? undefined,
    hasPins: taken.hasPins,
    hasGrants: taken.hasGrants,
    hasSecrets: taken.hasSecrets,
    hasSignIns: taken.hasSignIns,
    stint: taken.stint,
    fixture: taken.fixture === null ? undefined : { name: taken.fixture, mode: taken.fixtureMode ?? 'replay' },
    projectId: brandAs<ProjectId>(taken.projectId),
    again: taken.again === null ? undefined : againRequest.parse(JSON.parse(taken.again)),
  };
}

/** Gives up a run, so that the worker that takes it next does not count this attempt as a crash. */
export async function handBackRun(store: Store, runId: RunId, epoch: number): Promise<void> {
  await store.pool.query(
    `UPDATE "Run" SET attempts = GREATEST(attempts - 1, 0) WHERE id = $1 AND epoch = $2 AND status = 'running'`,
    [runId, epoch],
  );
}

/** Returns those of the given runs that a user asked to stop. */
export async function findStopRequests(store: Store, runIds: readonly RunId[]): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    'SELECT id FROM "Run" WHERE id = ANY($1) AND "cancelRequestedAt" IS NOT NULL',
    [runIds],
  );
  return rows.map((found) => found.id);
}
