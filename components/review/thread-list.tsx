'use client';

import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { anchorWords } from '@/lib/graph/review/anchor';
import { CommentBox } from './comment-box';
import type { Done, ShownThread, ThreadServices } from './review-types';
import { ThreadComment } from './thread-comment';

export interface ThreadListProps {
  readonly threads: readonly ShownThread[];
  readonly refusal: string | undefined;
  /** True while suggestions can be applied. */
  readonly isOpen: boolean;
  readonly services: ThreadServices;
  /** True for a second list on the same page. Links lead to the first one. */
  readonly isCopy?: boolean;
}

/** Every thread of a review, oldest first. Those that are outdated or resolved stay in sight. */
export function ThreadList({ threads, ...rest }: ThreadListProps) {
  if (threads.length === 0) return <p className="text-muted text-sm">No comments yet.</p>;
  return (
    <ul aria-label="Threads" className="flex flex-col gap-3">
      {threads.map((thread) => (
        <Thread key={thread.id} thread={thread} {...rest} />
      ))}
    </ul>
  );
}

function Thread(props: Omit<ThreadListProps, 'threads'> & { readonly thread: ShownThread }) {
  const { thread, refusal, isOpen, services, isCopy = false } = props;
  const { id, anchor, place, excerpt, outdatedIn, state, comments } = thread;
  const [answers, setAnswers] = useState(false);
  const [fault, setFault] = useState<string>();
  const tell = async (done: Done) => setFault(await done);
  const isResolved = state === 'resolved';
  const about = anchorWords(place);
  return (
    <li
      id={isCopy ? undefined : `thread-${id}`}
      aria-label={`Thread on ${about}`}
      className="rounded-lg border bg-surface shadow-card"
    >
      <p className="flex flex-wrap items-center gap-2 border-b px-3 py-1.5 text-muted text-xs">
        <span className="min-w-0 break-words">{about}</span>
        {outdatedIn !== null && <Badge tone="warn">outdated since version {outdatedIn}</Badge>}
        {isResolved && <Badge tone="ok">resolved</Badge>}
      </p>
      {anchor.kind === 'line' && (
        <pre className="whitespace-pre-wrap break-words border-b bg-sunken px-3 py-1 font-mono text-muted text-xs">
          {excerpt}
        </pre>
      )}
      <ul aria-label="Comments" className="divide-y">
        {comments.map((comment) => (
          <ThreadComment
            key={comment.id}
            comment={comment}
            excerpt={excerpt}
            refusal={refusal}
            mayApply={refusal === undefined && isOpen && outdatedIn === null}
            onApply={() => void tell(services.apply(id, comment.id))}
            onEdit={(body) => services.edit(id, comment.id, body)}
            onRemove={() => void tell(services.remove(id, comment.id))}
          />
        ))}
      </ul>
      {fault !== undefined && (
        <p role="alert" className="px-3 py-1 text-bad text-sm">
          {fault}
        </p>
      )}
      <div className="flex flex-wrap gap-2 border-t px-3 py-2">
        {answers ? (
          <div className="w-full">
            <CommentBox
              label={`Answer on ${about}`}
              onSend={(body) => services.reply(id, body)}
              onCancel={() => setAnswers(false)}
            />
          </div>
        ) : (
          <Button size="sm" title={refusal} disabled={refusal !== undefined} onClick={() => setAnswers(true)}>
            Answer
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          title={refusal}
          disabled={refusal !== undefined}
          onClick={() => void tell(services.setState(id, isResolved ? 'open' : 'resolved'))}
        >
          {isResolved ? 'Open again' : 'Resolve'}
        </Button>
      </div>
    </li>
  );
}
