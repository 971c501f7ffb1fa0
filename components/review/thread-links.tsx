import type { ShownThread } from './review-types';

/** Leads from a row or a line to what people say of it. */
export function ThreadLinks({ threads }: { readonly threads: readonly ShownThread[] }) {
  return threads.map(({ id, comments, state, outdatedIn }) => (
    <a key={id} href={`#thread-${id}`} className="block break-words font-sans text-accent text-xs hover:underline">
      {comments.length === 1 ? 'One comment' : `${comments.length} comments`} by {comments[0]?.author}
      {state === 'resolved' && ', resolved'}
      {outdatedIn !== null && ', outdated'}
    </a>
  ));
}
