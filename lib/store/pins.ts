import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { PinnedResult } from '@/lib/runtime/record/given-answers';
import { toolResult } from '@/lib/runtime/record/message-schema';
import type { Store } from './database';
import { lockProject } from './draft-lock';
import { writing } from './writing';

/** A result that runs of a project get in place of a tool call. */
export interface Pin extends PinnedResult {
  readonly id: string;
  readonly projectId: ProjectId;
  /** The run and the event of the call that was pinned. */
  readonly runId: RunId;
  readonly seq: number;
  readonly createdAt: Date;
}

const json: z.ZodType<Json> = z.json();

/** A project has at most this many pins. */
const mostPins = 200;

/**
 * Stores a pin in place of those for the same calls. Throws AppError `conflict` when the project has too many others, and `not_found` for
 * a project that is gone. Texts are JSON: a Postgres text cannot hold U+0000.
 */
export async function insertPin(store: Store, pin: Omit<Pin, 'createdAt'>): Promise<void> {
  const { id, projectId, agentName, tool, runId, seq } = pin;
  const args = pin.arguments === undefined ? null : JSON.stringify(pin.arguments);
  await store.prisma.$transaction(async (db) => {
    // Pins that come at the same time are counted one after another.
    await lockProject(db, projectId);
    await db.pin.deleteMany({ where: { projectId, agentName, tool, arguments: args } });
    if ((await db.pin.count({ where: { projectId } })) >= mostPins) {
      throw new AppError('conflict', `A project has at most ${mostPins} pinned results. Remove one first.`);
    }
    await db.pin.create({
      data: { id, projectId, agentName, tool, arguments: args, result: JSON.stringify(pin.result), runId, seq },
    });
  }, writing);
}

/** Lists the pins of a project, newest first. */
export async function listPins(store: Store, projectId: ProjectId): Promise<readonly Pin[]> {
  const rows = await store.prisma.pin.findMany({ where: { projectId }, orderBy: { createdAt: 'desc' } });
  return rows.map((row) => ({
    ...row,
    projectId,
    runId: brandAs<RunId>(row.runId),
    arguments: row.arguments === null ? undefined : json.parse(JSON.parse(row.arguments)),
    result: toolResult.parse(JSON.parse(row.result)),
  }));
}

/** Lists the pins for a run. */
export async function pinsOfRun(store: Store, runId: RunId): Promise<readonly Pin[]> {
  const run = await store.prisma.run.findUnique({ where: { id: runId }, select: { projectId: true } });
  return run === null ? [] : await listPins(store, brandAs<ProjectId>(run.projectId));
}

/** Returns false if the project has no such pin. */
export async function deletePin(store: Store, projectId: ProjectId, id: string): Promise<boolean> {
  return (await store.prisma.pin.deleteMany({ where: { projectId, id } })).count > 0;
}
