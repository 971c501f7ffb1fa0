import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { decisionsFor } from '@/lib/base/answer-rules';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type PendingId, type ProjectId, type RunId } from '@/lib/base/ids';
import type { PendingStatus } from '@/lib/base/pending';
import type {
  AnswerInput,
  AnswerResult,
  GrantInfo,
  PendingDetail,
  PendingInfo,
  PendingPage,
} from '@/lib/base/pending-info';
import { whyNot } from '@/lib/base/project-access';
import { rightsIn, scopeFor } from '@/lib/base/rights';
import { type AnswerToStore, answerItems } from '@/lib/jobs/end-items';
import type { Store } from '@/lib/store/database';
import { tellGrants } from '@/lib/store/end-items';
import { findInstanceStart } from '@/lib/store/events';
import { deleteGrant, listGrants, type StoredGrant } from '@/lib/store/grants';
import { noGrant, noItem } from '@/lib/store/not-found';
import { countItems, findItems, type ListedItem, readItems, type StoredItem } from '@/lib/store/pending-items';
import { authorize } from './authorize';
import { checkAnswer, checkRemember } from './check-answer';
import { cursorOf, placeOf } from './page-cursor';
import { accessIn } from './project-access';
import { systemStoreOnce, withScope, withStore, withStoreOnce } from './services';

export interface PendingQuery {
  readonly run?: RunId | undefined;
  readonly project?: ProjectId | undefined;
  /** The tool of a call, as the model sees it. */
  readonly tool?: string | undefined;
  /** `undefined`: every state. */
  readonly status: PendingStatus | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Returns a page of items: open ones that wait longest first, all others newest first. Throws AppError `bad_request`. */
export async function listPending(
  actor: Actor,
  { run, project, tool, status, limit, after }: PendingQuery,
): Promise<PendingPage> {
  const place = after === undefined ? undefined : placeOf(after);
  const from = place && { createdAt: place.time, id: brandAs<PendingId>(place.id) };
  return await withScope(actor, 'item.read', async (store, scope) => {
    const [items, open] = await Promise.all([
      findItems(store, { run, project, tool, status, scope }, { after: from, limit }),
      countItems(store, { run, project, tool, status: 'open', scope }),
    ]);
    const last = items.length < limit ? undefined : items.at(-1);
    const next = last === undefined ? null : cursorOf({ time: last.createdAt, id: last.id });
    return { items: items.map(toInfo), next, open };
  });
}

/** Reads an item with its question. Throws AppError `not_found`. */
export async function readPending(actor: Actor, id: PendingId): Promise<PendingDetail> {
  return await withStore(actor, 'item.read', { item: id }, async (store) => {
    const [item] = await readItems(store, [id], 'all');
    if (item === undefined) throw noItem();
    return await toDetailFor(store, actor, item);
  });
}

/** Reads several items with their questions, in the order of the ids. Those that do not exist are left out. */
export async function readManyPending(actor: Actor, ids: readonly PendingId[]): Promise<readonly PendingDetail[]> {
  return await withScope(actor, 'item.read', async (store, scope) => {
    const items = await readItems(store, ids, scope);
    const listed = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
    return await Promise.all(listed.map((item) => toDetailFor(store, actor, item)));
  });
}

/**
 * Answers an item, which is the first answer to it. Its run goes on. Throws AppError `not_found`, `bad_request` for an answer that
 * does not fit the question, and `conflict`, with who was first, for an item that is not open any more.
 */
export async function answerPending(actor: Actor, id: PendingId, input: AnswerInput): Promise<PendingDetail> {
  return await withStoreOnce(actor, 'item.answer', { item: id }, async ({ store }) => {
    const [item] = await readItems(store, [id], 'all');
    if (item === undefined) throw noItem();
    if (item.status !== 'open') throw hasEnded(item);
    const given = await toStore(store, item, input, actor);
    const endedAt = (await answerItems(store, [given])).get(id);
    if (endedAt !== undefined) return toDetail({ ...item, status: 'answered', endedAt, answer: given.answer });
    const [now] = await readItems(store, [id], 'all');
    throw now === undefined ? noItem() : hasEnded(now);
  });
}

/**
 * Answers several items at once. Each answer counts for itself: one that is refused changes nothing about the others. The results
 * have the order of the answers. A run with several of the items goes on once.
 */
export async function answerAllPending(
  actor: Actor,
  answers: readonly { readonly id: PendingId; readonly answer: AnswerInput }[],
): Promise<readonly AnswerResult[]> {
  return await systemStoreOnce(async ({ store }) => {
    const ids = answers.map(({ id }) => id);
    const items = new Map(
      (await readItems(store, ids, scopeFor(actor.reach, 'item.read'))).map((item) => [item.id, item]),
    );
    const refused = new Map<number, AppError>();
    const ready = new Map<number, AnswerToStore>();
    for (const [index, { id, answer }] of answers.entries()) {
      const item = items.get(id);
      try {
        if (item === undefined) throw noItem();
        await authorize(store, actor, 'item.answer', { item: id });
        if (item.status !== 'open') throw hasEnded(item);
        if (ids.indexOf(id) < index) throw new AppError('conflict', 'This request answers the same item before.');
        ready.set(index, await toStore(store, item, answer, actor));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.set(index, error);
      }
    }
    const stored = await answerItems(store, [...ready.values()]);
    const late = new Map([...ready].flatMap(([index, { item }]) => (stored.has(item) ? [] : [[item, index] as const])));
    const ended = new Map((await readItems(store, [...late.keys()], 'all')).map((item) => [item.id, item]));
    for (const [id, index] of late) {
      const item = ended.get(id);
      refused.set(index, item === undefined ? noItem() : hasEnded(item));
    }
    return answers.map(({ id }, index) => {
      const error = refused.get(index);
      return error === undefined ? { id, ok: true } : { id, ok: false, code: error.code, message: error.message };
    });
  });
}

async function toStore(store: Store, item: StoredItem, input: AnswerInput, actor: Actor): Promise<AnswerToStore> {
  const { question, runId, projectId } = item;
  const answer = checkAnswer(question, input, actor);
  const asker = input.remember === undefined ? undefined : await findInstanceStart(store, runId, question.path);
  const remembered = checkRemember(question, input, asker?.agentName);
  const grant = remembered && { ...remembered, id: randomUUID(), by: actor.by, projectId, runId };
  return { item: item.id, answer, grant };
}

/** Lists the approvals that are remembered, of one project or of all, newest first. */
export async function readGrants(actor: Actor, project: ProjectId | undefined): Promise<readonly GrantInfo[]> {
  return (await withScope(actor, 'item.read', (store, scope) => listGrants(store, scope, project))).map(toGrantInfo);
}

/** Forgets a remembered approval. Runs in progress ask again at once. Throws AppError `not_found`. */
export async function revokeGrant(actor: Actor, id: string): Promise<void> {
  await withStoreOnce(actor, 'grant.revoke', { grant: id }, async ({ store }) => {
    const project = await deleteGrant(store, id, actor);
    if (project === undefined) {
      throw noGrant();
    }
    await tellGrants(store.pool, project);
  });
}

function hasEnded({ status, answer, endedAt }: ListedItem): AppError {
  const at = endedAt?.toISOString() ?? '';
  if (status === 'answered' && answer !== undefined) {
    const { by, via, decision } = answer;
    const message = `${by} has answered this question before (${decision}, ${via}, ${at}). Your answer was not kept.`;
    return new AppError('conflict', message, { status, answeredBy: by, via, decision, answeredAt: at });
  }
  const why = status === 'expired' ? 'Its time is over' : 'The run does not need it any more';
  return new AppError('conflict', `This question is closed. ${why} (${at}).`, { status, answeredAt: at });
}

function toInfo(item: ListedItem): PendingInfo {
  const { answer } = item;
  return {
    id: item.id,
    kind: item.kind,
    status: item.status,
    run: item.runId,
    project: item.projectId,
    projectName: item.projectName,
    path: item.path,
    step: item.step,
    ...(item.tool !== undefined && { tool: item.tool }),
    sentence: item.sentence,
    askedAt: item.createdAt.getTime(),
    ...(item.limitAt && { limitAt: item.limitAt.getTime() }),
    ...(item.endedAt && { endedAt: item.endedAt.getTime() }),
    ...(answer && {
      answer: { decision: answer.decision, ...(answer.note && { note: answer.note }), by: answer.by, via: answer.via },
    }),
  };
}

/** Returns an item with what the actor may answer. */
async function toDetailFor(store: Store, actor: Actor, item: StoredItem): Promise<PendingDetail> {
  const detail = toDetail(item);
  if (item.status !== 'open' || rightsIn(actor.reach, item.projectId).has('answer')) return detail;
  const refusal = whyNot(await accessIn(store, actor, item.projectId), 'item.answer');
  return { ...detail, decisions: [], ...(refusal !== undefined && { refusal }) };
}

function toDetail(item: StoredItem): PendingDetail {
  const { question, answer, status } = item;
  return {
    ...toInfo(item),
    question,
    decisions: status === 'open' ? decisionsFor(question) : [],
    ...(answer && { given: answer }),
  };
}

function toGrantInfo({ projectId, runId, lastUsedAt, ...grant }: StoredGrant): GrantInfo {
  return { ...grant, project: projectId, run: runId, ...(lastUsedAt !== undefined && { lastUsedAt }) };
}
