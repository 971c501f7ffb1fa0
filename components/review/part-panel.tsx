'use client';

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { VisibleText } from '@/components/ui/visible-text';
import { anchorWords, isSameAnchor } from '@/lib/graph/review/anchor';
import { anchorOfPart, type GraphPart, graphParts } from '@/lib/graph/review/graph-parts';
import { partSentences } from '@/lib/graph/review/part-sentences';
import { ChangeBadge } from './change-look';
import { CommentBox } from './comment-box';
import { partName } from './part-label';
import { PartButtons } from './part-list';
import type { GraphChangesProps } from './review-types';
import { ThreadList } from './thread-list';

/** What is known of the chosen part of the graph: its change in sentences, its hooks and wires, and what people say of it. */
export function PartPanel(
  props: GraphChangesProps & {
    readonly chosen: GraphPart;
    readonly onChoose: (key: string) => void;
    readonly onClose: () => void;
  },
) {
  const { chosen, onChoose, onClose, drawing, capabilities, groups, threads, refusal, isOpen, services } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when another part is chosen
  useEffect(() => heading.current?.focus(), [chosen.key]);
  const part = anchorOfPart(chosen, drawing.graph);
  const other = drawing.otherAnchors[chosen.key];
  const anchor = other === undefined ? part : (other ?? undefined);
  const sentences = part === undefined ? [] : partSentences(part, { capabilities, groups, code: codeOf(chosen) });
  const here = threads.filter(({ place }) => part !== undefined && isSameAnchor(place, part));
  const change = drawing.changes[chosen.key];
  return (
    <section
      aria-label="Chosen part"
      className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-3 shadow-card lg:max-h-[32rem] lg:overflow-y-auto"
    >
      <div className="flex items-start gap-2">
        <h3 ref={heading} tabIndex={-1} className="min-w-0 flex-1 break-words font-medium text-ink text-sm">
          {partName(chosen)}
        </h3>
        {change !== undefined && <ChangeBadge change={change} />}
        <IconButton size="sm" label="Close the part" icon={<X aria-hidden />} onClick={onClose} />
      </div>
      {sentences.length > 0 ? (
        <ul
          aria-label="What changes here"
          className="flex list-disc flex-col gap-1 pl-4 text-ink text-sm marker:text-faint"
        >
          {sentences.map((sentence) => (
            <li key={sentence} className="break-words">
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted text-sm">
          {change === undefined ? 'Nothing of it changes.' : 'Nothing more is known about it.'}
        </p>
      )}
      {chosen.kind === 'node' && (
        <PartButtons
          label="Hooks and wires"
          parts={nearParts(chosen, drawing.graph)}
          {...{ drawing, threads, onChoose }}
        />
      )}
      {here.length > 0 && <ThreadList threads={here} {...{ refusal, isOpen, services }} isCopy />}
      {anchor === undefined ? (
        <p className="text-muted text-xs">
          This part cannot be commented on. Comment on a line, or on the whole change.
        </p>
      ) : refusal !== undefined ? (
        <p className="text-muted text-xs">{refusal}</p>
      ) : (
        <CommentBox
          key={chosen.key}
          label={`Comment on ${anchorWords(anchor)}`}
          onSend={(body) => props.onComment(anchor, body, undefined)}
        />
      )}
    </section>
  );
}

/** Returns the file whose code a part runs. */
function codeOf(part: GraphPart): string | undefined {
  if (part.kind === 'bead') return part.entry.file;
  return part.kind === 'node' && part.node.kind === 'function' ? part.node.file : undefined;
}

function nearParts({ key }: GraphPart, graph: GraphChangesProps['drawing']['graph']): readonly GraphPart[] {
  return graphParts(graph).filter(
    (part) =>
      (part.kind === 'bead' && part.node.id === key) ||
      (part.kind === 'edge' && (part.edge.source === key || part.edge.target === key)),
  );
}
