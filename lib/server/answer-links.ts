import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { PendingKind } from '@/lib/base/pending';
import type { PendingDetail } from '@/lib/base/pending-info';
import { type AnswerLink, readAnswerLink } from '@/lib/jobs/notify/answer-link';
import { listTargets } from '@/lib/store/notify-targets';
import { answerPending, readPending } from './pending';
import { systemStore } from './services';
import { answerLinkKey, publicAddress } from './settings/process-env';

/** What the link of a mail opens. */
export interface LinkedQuestion {
  readonly item: PendingDetail;
  /** Whom the link was sent to. */
  readonly addressee: string;
  readonly decisions: readonly LinkDecision[];
}

/** What a link can decide. Changed arguments and answers of forms need the inbox. */
export type LinkDecision = 'approve' | 'deny';

/** The page of a link shows all that these are about. A server's address or a prompt is judged in the inbox. */
const approvable: readonly PendingKind[] = ['approval', 'attachment', 'hook', 'budget'];

/**
 * Reads the question of a link and changes nothing. Throws AppError `not_found` for a link that was not made here, whose question is
 * gone, or where no public address is set, and `not_allowed` for one that is over or whose addressee may not answer any more.
 */
export async function readLinkedQuestion(text: string): Promise<LinkedQuestion> {
  const { link, addressee } = await checkLink(text);
  return linked(await readPending(holder(addressee), link.item), addressee);
}

/** Answers the question of a link. Throws as `readLinkedQuestion` and `answerPending` do: the first answer counts. */
export async function answerByLink(text: string, decision: LinkDecision, note: string): Promise<LinkedQuestion> {
  const { link, addressee } = await checkLink(text);
  const actor = holder(addressee);
  const before = linked(await readPending(actor, link.item), addressee);
  if (before.item.status === 'open' && !before.decisions.includes(decision)) {
    throw new AppError('bad_request', 'This question is answered in the inbox.');
  }
  return linked(await answerPending(actor, link.item, { decision, note }), addressee);
}

/** A link that was checked is the right to its question, which is all that this module does with the actor. */
function holder(addressee: string): Actor {
  return { by: addressee, via: 'link', reach: 'all' };
}

function linked(item: PendingDetail, addressee: string): LinkedQuestion {
  const decisions = (['approve', 'deny'] as const).filter(
    (each) => item.decisions.includes(each) && (each === 'deny' || approvable.includes(item.kind)),
  );
  return { item, addressee, decisions };
}

async function checkLink(text: string): Promise<{ readonly link: AnswerLink; readonly addressee: string }> {
  const key = answerLinkKey();
  const link = key === undefined || publicAddress() === undefined ? undefined : readAnswerLink(text, key);
  if (link === undefined) throw unknownLink();
  return await systemStore(async (store) => {
    const target = (await listTargets(store, 'all')).find(({ id }) => id === link.target);
    if (target?.mayAnswer !== true) {
      throw new AppError('not_allowed', 'The address that this link was sent to may not answer any more.');
    }
    if (link.expiresAt * 1_000 <= Date.now()) throw new AppError('not_allowed', 'The time of this link is over.');
    return { link, addressee: target.address };
  });
}

function unknownLink(): AppError {
  return new AppError('not_found', 'This link was not made here, or is not complete.');
}
