import { brandAs, type InstancePath, type PendingId, type RunId, type StepKey } from '@/lib/base/ids';
import type { PendingQuestion } from '@/lib/base/pending';
import type { Store } from '@/lib/store/database';

let count = 0;

/** A question for approval of a call, as the gate asks it. */
export function questionOf(runId: RunId, fields: Partial<PendingQuestion> = {}): PendingQuestion {
  count += 1;
  const step = brandAs<StepKey>(`lead#t${count}`);
  return {
    item: brandAs<PendingId>(`${runId}-${count}`),
    path: brandAs<InstancePath>('lead'),
    step,
    what: 'approval',
    sentence: "Call tool 'mail__send'",
    tool: { name: 'mail__send', source: 'mcp', serverName: 'mail', schemaHash: 'schema' },
    arguments: { to: 'ana' },
    argumentsHash: 'arguments',
    form: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    editable: true,
    ...fields,
  };
}

/** Stores an open item without an event of its run. */
export async function storedItem(
  store: Store,
  runId: RunId,
  fields: Partial<PendingQuestion> = {},
): Promise<PendingId> {
  const [item] = await storedItems(store, runId, 1, fields);
  if (item === undefined) throw new Error('Nothing was stored');
  return item;
}

/** Stores open items in one statement. Returns them in the order of their times. */
export async function storedItems(
  store: Store,
  runId: RunId,
  count: number,
  fields: Partial<PendingQuestion> = {},
): Promise<readonly PendingId[]> {
  const { projectId, stint } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const questions = Array.from({ length: count }, () => questionOf(runId, fields));
  const since = Date.now() - count;
  await store.prisma.pendingItem.createMany({
    data: questions.map((question, index) => {
      const { item, path, step, what, sentence, tool, limit } = question;
      return {
        id: item,
        runId,
        projectId,
        stint,
        kind: what,
        path,
        step,
        tool: tool?.name ?? null,
        sentence: JSON.stringify(sentence),
        question: JSON.stringify(question),
        createdAt: new Date(since + index),
        limitAt: limit === undefined ? null : new Date(limit.at),
        outcomeAtLimit: limit?.outcome ?? null,
      };
    }),
  });
  return questions.map(({ item }) => item);
}
