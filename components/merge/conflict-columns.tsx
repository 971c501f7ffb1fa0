'use client';

import { Fragment, type ReactNode } from 'react';
import type { Chunk } from '@/lib/editor/merge-lines';
import type { SideWords } from './side-words';

type Side = 'mine' | 'base' | 'theirs';
const contextLines = 3;
/** Longer parts are cut in the picture. The whole text can be copied. */
const mostLines = 400;

/**
 * Shows three texts beside each other, part by part. Parts that need a choice are marked by a word and a colour. On a narrow
 * screen the versions of a part are below each other.
 */
export function ConflictColumns(props: {
  readonly chunks: readonly Chunk[];
  /** False if it is not known what both sides began from. */
  readonly isBaseKnown: boolean;
  readonly heads: Readonly<Record<Side, ReactNode>>;
  readonly words: SideWords;
}) {
  const sides: readonly Side[] = props.isBaseKnown ? ['mine', 'base', 'theirs'] : ['mine', 'theirs'];
  const columns = sides.length === 3 ? 'md:grid-cols-3' : 'md:grid-cols-2';
  return (
    <div className="text-xs">
      <div className={`grid grid-cols-1 gap-x-3 border-b px-2 py-1 ${columns}`}>
        {sides.map((side) => (
          <Fragment key={side}>{props.heads[side]}</Fragment>
        ))}
      </div>
      {props.chunks.map((chunk, index) =>
        chunk.kind === 'same' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one computed comparison, never reordered
          <Same key={index} lines={chunk.base} isFirst={index === 0} isLast={index === props.chunks.length - 1} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one computed comparison, never reordered
          <Part key={index} chunk={chunk} sides={sides} columns={columns} words={props.words} />
        ),
      )}
    </div>
  );
}

function changeWords(kind: Exclude<Chunk['kind'], 'same'>, { byMine, byTheirs }: SideWords): string {
  switch (kind) {
    case 'clash':
      return 'Changed by both';
    case 'mine':
      return byMine;
    case 'theirs':
      return byTheirs;
    case 'both':
      return 'The same change of both';
  }
}

function Part(props: {
  readonly chunk: Chunk;
  readonly sides: readonly Side[];
  readonly columns: string;
  readonly words: SideWords;
}) {
  const { chunk, words } = props;
  if (chunk.kind === 'same') return null;
  const names: Record<Side, string> = { mine: words.mine, base: 'As it was', theirs: words.theirs };
  return (
    <div className={chunk.kind === 'clash' ? 'border-bad border-l-2 bg-bad-soft' : 'border-ok border-l-2 bg-ok-soft'}>
      <p className={`px-2 pt-1 ${chunk.kind === 'clash' ? 'font-medium text-bad' : 'text-ok'}`}>
        {changeWords(chunk.kind, words)}
      </p>
      <div className={`grid grid-cols-1 gap-x-3 px-2 pb-1 ${props.columns}`}>
        {props.sides.map((side) => (
          <div key={side} className="min-w-0">
            <p className="text-muted md:sr-only">{names[side]}</p>
            <Lines lines={chunk[side]} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <p className="text-muted italic">No lines</p>;
  const more = lines.length - mostLines;
  return (
    <pre className="whitespace-pre-wrap break-words font-mono text-ink leading-5">
      {lines.slice(0, mostLines).join('')}
      {more > 0 ? `⋯ ${more} more lines` : ''}
    </pre>
  );
}

/** Shows equal lines once. A long run of them is folded to those beside a change. */
function Same(props: { readonly lines: readonly string[]; readonly isFirst: boolean; readonly isLast: boolean }) {
  const { lines, isFirst, isLast } = props;
  const head = isFirst ? 0 : contextLines;
  const tail = isLast ? 0 : contextLines;
  const skipped = lines.length - head - tail;
  const text = (some: readonly string[]) => some.join('').replace(/\r?\n$/, '');
  if (skipped <= 1) return <Equal>{text(lines)}</Equal>;
  return (
    <>
      {head === 0 ? null : <Equal>{text(lines.slice(0, head))}</Equal>}
      <p className="px-2 text-faint">⋯ {skipped} equal lines</p>
      {tail === 0 ? null : <Equal>{text(lines.slice(-tail))}</Equal>}
    </>
  );
}

function Equal({ children }: { readonly children: string }) {
  return <pre className="whitespace-pre-wrap break-words px-2 font-mono text-muted leading-5">{children}</pre>;
}
