import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import {
  type ConversationDetail,
  type ConversationInfo,
  type ConversationPage,
  type MessageFile,
  mostFileBytes,
  mostFiles,
  type TurnInfo,
} from '@/lib/base/conversation';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { cutText, wellFormed } from '@/lib/base/well-formed';
import { bytesOfFile } from '@/lib/runtime/request/message-files';
import { runnable } from '@/lib/runtime/request/validate';
import { appendAudit } from '@/lib/store/audit';
import {
  findConversation,
  findConversations,
  findTurns,
  isConversation,
  type ListedConversation,
  removeConversation,
  type StoredTurn,
  type TurnOf,
} from '@/lib/store/conversations';
import type { Store } from '@/lib/store/database';
import { toPlainText } from '@/lib/store/json-text';
import { findProject } from '@/lib/store/projects';
import { transaction } from '@/lib/store/transaction';
import { readTree } from '@/lib/store/trees';
import { cursorOf, placeOf } from './page-cursor';
import { webReader } from './reading/web-reader';
import { withStore, withStoreOnce } from './services';

/** Which page of a list. `cursor` is `next` of the page before. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Message and answer of a turn are cut beyond this many UTF-16 units. */
const mostUnits = 100_000;
const mostTitle = 80;

/** Returns a page of conversations, the one with the newest message first. Throws AppError `not_found` and `bad_request`. */
export async function listConversations(
  actor: Actor,
  projectId: ProjectId,
  { limit, cursor }: ListQuery,
): Promise<ConversationPage> {
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const after = place && { updatedAt: place.time, id: place.id };
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const found = await findConversations(store, projectId, { after, limit });
    const last = found.length < limit ? undefined : found.at(-1);
    const next = last === undefined ? null : cursorOf({ time: last.updatedAt, id: last.id });
    return { conversations: found.map(toInfo), next };
  });
}

/** Returns a conversation with its newest turns, or with those before the cursor. Throws AppError `not_found` and `bad_request`. */
export async function readConversation(
  actor: Actor,
  projectId: ProjectId,
  id: string,
  { limit, cursor }: ListQuery,
): Promise<ConversationDetail> {
  const before = cursor === undefined ? undefined : turnOf(cursor);
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const found = await findConversation(store, projectId, id);
    const turns = await findTurns(store, id, { before, limit, textUnits: mostUnits });
    const oldest = turns.length < limit ? undefined : turns.at(-1);
    const next = oldest === undefined || oldest.turn === 1 ? null : String(oldest.turn);
    return { ...toInfo(found), turns: turns.map(toTurn).reverse(), next };
  });
}

/**
 * Deletes a conversation with what its agent remembers. Its runs stay in the history. Throws AppError `not_found`, and `conflict`
 * while one of them is active.
 */
export async function deleteConversation(actor: Actor, projectId: ProjectId, id: string): Promise<void> {
  await withStoreOnce(actor, 'conversation.delete', { project: projectId }, async ({ store }) => {
    await transaction(store, async (connection) => {
      const agent = await removeConversation(connection, projectId, id);
      const entry = { actor, action: 'conversation.deleted', object: id, project: projectId, body: { agent } } as const;
      await appendAudit(connection, entry);
    });
  });
}

/** True if the project has a conversation with this id. */
export async function hasConversation(actor: Actor, projectId: ProjectId, id: string): Promise<boolean> {
  return await withStore(
    actor,
    'project.read',
    { project: projectId },
    async (store) => await isConversation(store, projectId, id),
  );
}

/**
 * Finds the conversation that a message continues, or prepares a new one. Throws AppError `not_found`, and `bad_request` for another
 * agent than that of the conversation, or for a project that cannot begin one.
 */
export async function findTurn(
  store: Store,
  project: { readonly id: ProjectId; readonly treeHash: TreeHash },
  asked: string,
  { agent, message }: { readonly agent: string | undefined; readonly message: string },
): Promise<TurnOf & { readonly agent: string }> {
  if (asked === 'new') {
    const entry = await entryOf(store, project.treeHash, agent);
    return { id: randomUUID(), isNew: true, agent: entry, title: titleOf(message) };
  }
  const found = await findConversation(store, project.id, asked);
  if (agent !== undefined && agent !== found.agent) {
    throw new AppError(
      'bad_request',
      `agent: the conversation is with '${found.agent}'. Leave the agent out, or begin a new conversation with '${agent}'.`,
    );
  }
  return { id: found.id, isNew: false, agent: found.agent };
}

/** Returns the agent that a conversation is with, so that later changes of the entry do not change it. */
async function entryOf(store: Store, treeHash: TreeHash, agent: string | undefined): Promise<string> {
  const read = await webReader().readForRun(await readTree(store.prisma, treeHash));
  if (!read.ok) throw new AppError('bad_request', `The project cannot begin a conversation. ${read.error.message}`);
  const ready = runnable(read.value.parsed, { agent });
  if (!ready.ok) throw new AppError('bad_request', `The project cannot begin a conversation. ${ready.error.message}`);
  return ready.value.entry.name;
}

function titleOf(message: string): string {
  const line = wellFormed(message).trim().replace(/\s+/g, ' ');
  return line === '' ? '(no text)' : toPlainText(line.length > mostTitle ? `${cutText(line, mostTitle - 1)}…` : line);
}

/** Throws AppError `too_large` for more files than a message may have, or larger ones. */
export function checkFiles(files: readonly MessageFile[] = []): void {
  if (files.length > mostFiles) {
    throw new AppError(
      'too_large',
      `attachments: ${files.length} files are too many; a message has at most ${mostFiles}.`,
    );
  }
  const bytes = files.reduce((sum, file) => sum + bytesOfFile(file), 0);
  if (bytes > mostFileBytes) {
    const limit = `${mostFileBytes / 1_000_000} MB`;
    throw new AppError(
      'too_large',
      `attachments: the files have more than ${limit} together. Send fewer or smaller ones.`,
    );
  }
}

function toInfo({ id, agent, title, runCount, status, updatedAt }: ListedConversation): ConversationInfo {
  return { id, agent, title, runCount, status, updatedAt: updatedAt.getTime() };
}

function toTurn(turn: StoredTurn): TurnInfo {
  const { runId, message, answer, status, error, createdAt, finishedAt } = turn;
  const isCut = Math.max(message.length, answer?.length ?? 0) > mostUnits;
  return {
    runId,
    message: wellFormed(cutText(message, mostUnits)),
    attachments: turn.attachments,
    status,
    ...(turn.isInLine && { isInLine: true }),
    answer: answer === undefined ? null : wellFormed(cutText(answer, mostUnits)),
    error: error === undefined ? null : { code: error.code, message: wellFormed(error.message) },
    ...(isCut && { isCut: true }),
    createdAt: createdAt.getTime(),
    finishedAt: finishedAt?.getTime() ?? null,
  };
}

function turnOf(cursor: string): number {
  if (/^[1-9]\d{0,8}$/.test(cursor)) return Number(cursor);
  throw new AppError('bad_request', 'cursor: is not a page of this list. Give the "next" of the page before.');
}
