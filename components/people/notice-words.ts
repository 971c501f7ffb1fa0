import type { PendingInfo } from '@/lib/base/pending-info';
import { pathWords } from './question-words';

/** Returns the waiting questions that were asked after a time, oldest first. */
export function newQuestions(items: readonly PendingInfo[], since: number): readonly PendingInfo[] {
  return items
    .filter(({ status, askedAt }) => status === 'open' && askedAt > since)
    .toSorted((a, b) => a.askedAt - b.askedAt);
}

/** Says who asks for what. Others may see the screen, so it has no arguments. */
export function noticeWords({ path, tool, projectName }: PendingInfo): string {
  return `${pathWords(path)} asks${tool === undefined ? '' : ` about ${tool}`} (${projectName})`;
}
