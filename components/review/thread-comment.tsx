'use client';

import { useState } from 'react';
import { TextDiff } from '@/components/hook-bench/text-diff';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import { Markdown } from '@/components/ui/markdown';
import { TimeAgo } from '@/components/ui/time-ago';
import { CommentBox } from './comment-box';
import type { Done, ShownComment } from './review-types';

const ConfirmDialog = later(async () => (await import('@/components/ui/confirm-dialog')).ConfirmDialog, null);

/** One comment of a thread, written in Markdown. Its author changes and deletes it; a deleted one keeps its place. */
export function ThreadComment(props: {
  readonly comment: ShownComment;
  readonly excerpt: string;
  readonly refusal: string | undefined;
  readonly mayApply: boolean;
  readonly onApply: () => void;
  readonly onEdit: (body: string) => Done;
  readonly onRemove: () => void;
}) {
  const { comment, excerpt, refusal, mayApply, onApply, onEdit, onRemove } = props;
  const { author, body, suggestion, isApplied, at, isEdited, isDeleted, isOwn } = comment;
  const [edits, setEdits] = useState(false);
  /** Undefined until the person first asks for the deletion. */
  const [asks, setAsks] = useState<boolean>();
  return (
    <li className="flex flex-col gap-1 px-3 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
        <p className="min-w-0 flex-1 break-words">
          {author} · <TimeAgo at={at} />
          {isEdited && !isDeleted && ' · edited'}
        </p>
        {isOwn && !isDeleted && refusal === undefined && !edits && (
          <span className="flex gap-1">
            <Button size="sm" variant="ghost" onClick={() => setEdits(true)}>
              Edit
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setAsks(true)}>
              Delete
            </Button>
          </span>
        )}
      </div>
      {isDeleted ? (
        <p className="text-muted italic">deleted</p>
      ) : edits ? (
        <CommentBox label="Your comment" text={body} send="Store" onSend={onEdit} onCancel={() => setEdits(false)} />
      ) : (
        body !== '' && <Markdown text={body} />
      )}
      {suggestion !== null && (
        <>
          <TextDiff label="Suggestion" before={excerpt} after={suggestion} />
          {isApplied ? (
            <p className="text-muted text-xs">It is in the draft.</p>
          ) : (
            <Button size="sm" className="self-start" disabled={!mayApply} onClick={onApply}>
              Apply to the draft
            </Button>
          )}
        </>
      )}
      {asks !== undefined && (
        <ConfirmDialog
          open={asks}
          onOpenChange={setAsks}
          title="Delete this comment?"
          confirm="Delete comment"
          onConfirm={() => {
            setAsks(false);
            onRemove();
          }}
        >
          Its text and its suggestion are gone then. The thread says that a comment was deleted here.
        </ConfirmDialog>
      )}
    </li>
  );
}
