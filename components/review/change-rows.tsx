'use client';

import { MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { Badge, type Tone } from '@/components/ui/badge';
import { IconButton } from '@/components/ui/icon-button';
import { anchorWords, type ReviewAnchor } from '@/lib/graph/review/anchor';
import type { ChangeGroup, ChangeRow } from '@/lib/graph/review/change-rows';
import { CommentBox } from './comment-box';
import type { ReviewServices, ShownThread } from './review-types';
import { ThreadLinks } from './thread-links';

export interface CommentedRows {
  readonly threads: readonly ShownThread[];
  /** Why the person may not comment. */
  readonly refusal: string | undefined;
  readonly onComment: ReviewServices['comment'];
}

const tones: Readonly<Record<ChangeRow['change'], Tone>> = {
  added: 'ok',
  removed: 'bad',
  changed: 'warn',
  moved: 'accent',
  renamed: 'accent',
  kept: 'neutral',
};

/** The parts of a project that change, each with its comments. */
export function ChangeRows({ groups, ...rows }: CommentedRows & { readonly groups: readonly ChangeGroup[] }) {
  return groups.map(({ title, rows: parts }) => (
    <div key={title} className="flex flex-col gap-1">
      <h3 className="break-words font-medium text-muted text-xs">{title}</h3>
      <ul aria-label={title} className="divide-y rounded-lg border bg-surface shadow-card">
        {parts.map((row) => (
          <Row key={row.key} row={row} {...rows} />
        ))}
      </ul>
    </div>
  ));
}

function Row({ row, threads, refusal, onComment }: CommentedRows & { readonly row: ChangeRow }) {
  const { change, words, details, anchor } = row;
  const [isOpen, setOpen] = useState(false);
  const about = anchor === undefined ? '' : anchorWords(anchor);
  return (
    <li className="flex flex-col gap-2 px-3 py-1.5 text-sm">
      <div className="flex items-start gap-2">
        <Badge tone={tones[change]}>{change}</Badge>
        <div className="min-w-0 flex-1">
          <p className="break-words font-mono text-ink text-xs leading-5">{words}</p>
          {details.map((detail) => (
            <p key={detail} className="break-words text-muted text-xs">
              {detail}
            </p>
          ))}
          {anchor !== undefined && <ThreadLinks threads={threads.filter(({ place }) => isSame(place, anchor))} />}
        </div>
        {anchor !== undefined && (
          <IconButton
            label={`Comment on ${about}`}
            title={refusal}
            disabled={refusal !== undefined}
            icon={<MessageSquarePlus aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {isOpen && anchor !== undefined && (
        <CommentBox
          label={`Comment on ${about}`}
          onSend={(body) => onComment(anchor, body, undefined)}
          onCancel={() => setOpen(false)}
        />
      )}
    </li>
  );
}

function isSame(a: ReviewAnchor, b: ReviewAnchor): boolean {
  return anchorWords(a) === anchorWords(b);
}
