import { escapeHidden } from '@/lib/base/escape-hidden';
import type { PendingKind } from '@/lib/base/pending';
import type { DueNotice } from '@/lib/store/outbox';
import type { ListedItem } from '@/lib/store/pending-items';

/*
 * What leaves the installation about a question: who asks, for which tool, and where to answer. Arguments, texts of models and the
 * sentence of the inbox, which quotes them, stay inside. Redaction finds secrets by their names and cannot know what else is private;
 * mail and chat are read by others, kept for years and cannot be called back.
 */

/** The JSON of a webhook. Times are epoch milliseconds. */
export interface NoticeBody {
  readonly event: DueNotice['kind'];
  readonly item?: NoticeItem;
  readonly notice?: { readonly project?: string | undefined; readonly words: string; readonly url: string };
}

interface NoticeItem {
  readonly id: string;
  readonly kind: PendingKind;
  readonly run: string;
  readonly project: string;
  readonly projectName: string;
  /** The instance that asks, such as `lead/writer[2]`. */
  readonly path: string;
  readonly agent: string;
  readonly tool?: string;
  readonly sentence: string;
  readonly askedAt: number;
  readonly limitAt?: number;
  /** The question in the inbox. */
  readonly url: string;
}

export type AskedItem = Pick<
  ListedItem,
  'id' | 'kind' | 'runId' | 'projectId' | 'projectName' | 'path' | 'tool' | 'createdAt' | 'limitAt'
>;

export function webhookBody(item: AskedItem, base: string): NoticeBody {
  const { id, kind, runId, projectId, projectName, path, tool, createdAt, limitAt } = item;
  return {
    event: 'item.asked',
    item: {
      ...{ id, kind, run: runId, project: projectId, projectName, path, agent: agentOf(path) },
      ...(tool !== undefined && { tool }),
      sentence: noticeSentence(item),
      askedAt: createdAt.getTime(),
      ...(limitAt && { limitAt: limitAt.getTime() }),
      url: inboxUrl(base, id),
    },
  };
}

/** The JSON of a notice that is about no question. */
export function toldBody({ kind, told }: Pick<DueNotice, 'kind' | 'told'>, base: string): NoticeBody {
  if (told === undefined) return { event: 'test' };
  return { event: kind, notice: { project: told.project, words: told.words, url: `${base}${told.href}` } };
}

export function inboxUrl(base: string, item: string): string {
  return `${base}/inbox?item=${encodeURIComponent(item)}`;
}

/** Says what is asked, without what the call would do it with. */
export function noticeSentence({ kind, path, tool }: Pick<AskedItem, 'kind' | 'path' | 'tool'>): string {
  const agent = shown(agentOf(path));
  const name = tool === undefined ? 'a tool' : shown(tool);
  switch (kind) {
    case 'approval':
      return `${agent} wants to call ${name}`;
    case 'attachment':
      return `${agent} wants to hand over a file with ${name}`;
    case 'input':
      return `${agent} has a question`;
    case 'external':
      return `${agent} waits for ${name}, which a person does`;
    case 'hook':
      return `A hook of ${agent} has stopped the run`;
    case 'question':
      return `A server of ${agent} has a question`;
    case 'sampling':
      return `A server of ${agent} asks for a model call`;
    case 'budget':
      return 'A run has used its budget';
  }
}

/** `lead/writer[2]` → `writer`. */
function agentOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\[\d+\]$/, '');
}

const longestName = 100;

function shown(name: string): string {
  const characters = [...name.slice(0, 2 * longestName + 2)];
  return escapeHidden(characters.length > longestName ? `${characters.slice(0, longestName).join('')}…` : name);
}
