'use client';

import { MessageSquarePlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { anchorWords, isSameAnchor } from '@/lib/graph/review/anchor';
import type { Compared } from '@/lib/graph/review/compared-part';
import { CommentBox } from './comment-box';
import type { Commenting } from './review-types';
import { ThreadLinks } from './thread-links';

/** A row or a sentence with what people say of its part, and a button to comment on it. */
export function CommentedPart(
  props: Commenting & { readonly about: Compared; readonly children: ReactNode; readonly small?: boolean },
) {
  const { about, children, small = false, threads, refusal, onComment } = props;
  const [isOpen, setOpen] = useState(false);
  const { part, anchor } = about;
  if (anchor === undefined) return children;
  const label = `Comment on ${anchorWords(anchor)}`;
  // What is gone is commented on at the agent that had it, and that agent has a row with its threads.
  const here = threads.filter(({ place }) => part !== undefined && isSameAnchor(place, part));
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">{children}</div>
        <IconButton
          label={label}
          title={refusal}
          size={small ? 'sm' : 'md'}
          aria-expanded={isOpen}
          disabled={refusal !== undefined}
          icon={<MessageSquarePlus aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <ThreadLinks threads={here} />
      {isOpen && (
        <CommentBox
          label={label}
          onSend={(body) => onComment(anchor, body, undefined)}
          onCancel={() => setOpen(false)}
        />
      )}
    </div>
  );
}
