import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { addVersion, getReview, openReview } from '@/lib/server/reviews';
import { withStore } from '@/lib/server/services';
import { findOpenReview } from '@/lib/store/reviews';
import type { Revision } from '@/lib/store/revisions';

/** What `git push -o` asks for. */
export interface PushOptions {
  /** Opens a review of each pushed draft, or adds a version to the open one. */
  readonly review: boolean;
  readonly title: string | undefined;
  readonly body: string | undefined;
}

/** Reads the options of a push, or says which one is not known. */
export function readPushOptions(options: readonly string[]): PushOptions | { readonly fault: string } {
  let read: PushOptions = { review: false, title: undefined, body: undefined };
  for (const option of options) {
    const [, name, value] = /^(title|body)=(.*)$/s.exec(option) ?? [];
    if (option === 'review') read = { ...read, review: true };
    else if (name === 'title' || name === 'body') read = { ...read, review: true, [name]: value };
    else return { fault: `the push option '${option.slice(0, 40)}' is not known: use review, title=… or body=…` };
  }
  return read;
}

interface PushedDraft {
  readonly project: ProjectId;
  readonly draft: string;
  readonly revision: Revision;
  readonly message: string;
}

/** Opens the review of a pushed draft, or adds a version to it. Returns what the person is told; a refusal too, because the draft is there. */
export async function reviewPushed(
  actor: Actor,
  { project, draft, revision, message }: PushedDraft,
  { review, title, body }: PushOptions,
  addressOf: (page: string) => string,
): Promise<string> {
  const open = await withStore(actor, 'project.read', { project }, (store) => findOpenReview(store, project, draft));
  if (!review) {
    return open === undefined
      ? `Look at it and open a review, or push with -o review:\n  ${addressOf(`?draft=${encodeURIComponent(draft)}`)}`
      : `Review ${open} of it is open. Push with -o review to add this to it:\n  ${addressOf(`/reviews/${open}`)}`;
  }
  try {
    const { number, said } = await reviewed(actor, project, { draft, open, message, title, body });
    const { head } = await getReview(actor, project, number);
    const moved =
      head.number === revision.number ? '' : ` The draft moved on meanwhile: it has revision ${head.number}.`;
    return `${said}${moved}\n  ${addressOf(`/reviews/${number}`)}`;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    return `There is no review: ${error.message}`;
  }
}

async function reviewed(
  actor: Actor,
  project: ProjectId,
  asked: {
    readonly draft: string;
    readonly open: number | undefined;
    readonly message: string;
    readonly title: string | undefined;
    readonly body: string | undefined;
  },
): Promise<{ readonly number: number; readonly said: string }> {
  const { draft, open, message } = asked;
  const [first = '', ...rest] = message.split('\n');
  if (open === undefined) {
    const title = (asked.title ?? first).trim() || `Draft ${draft}`;
    const { number } = await openReview(actor, project, { draft, title, body: asked.body ?? rest.join('\n').trim() });
    return { number, said: `Review ${number} is open.` };
  }
  const { version, isNew } = await addVersion(actor, project, open, asked.body ?? message);
  const said = isNew ? `It is version ${version} of review ${open}.` : `Review ${open} has exactly this already.`;
  return { number: open, said };
}
