'use client';

import { createContext, Fragment, use, useMemo } from 'react';
import type { DrawLinks } from '@/components/ui/markdown';
import { VisibleText } from '@/components/ui/visible-text';
import type { TextUse } from '@/lib/base/visible-text';
import type { TextPiece } from '@/lib/editor/file-mentions';

/** Opens the places of files that a text names. */
export interface FileLinks {
  /** Splits a text at the places that can be opened. */
  readonly piecesOf: (text: string) => readonly TextPiece[];
  readonly open: (place: NonNullable<TextPiece['place']>) => void;
}

/** Set where the files of the run can be opened, as in the editor. */
export const FileLinksContext = createContext<FileLinks | undefined>(undefined);

/** Shows a text in which `file:line` opens the file at that line, where that is possible. */
export function LinkedText({ text, use: how }: { readonly text: string; readonly use: TextUse }) {
  const links = use(FileLinksContext);
  const pieces = useMemo(() => links?.piecesOf(text), [links, text]);
  if (links === undefined || pieces === undefined) return <VisibleText text={text} use={how} />;
  return pieces.map(({ text: piece, place }, index) =>
    place === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never reordered
      <VisibleText key={index} text={piece} use={how} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never reordered
      <PlaceButton key={index} text={piece} place={place} onOpen={links.open} />
    ),
  );
}

/** Returns what draws `file:line` in Markdown as a button that opens the file, where that is possible. */
export function useDrawLinks(): DrawLinks | undefined {
  const links = use(FileLinksContext);
  return useMemo(
    () =>
      links &&
      ((text, plain) =>
        links.piecesOf(text).map(({ text: piece, place }, index) =>
          place === undefined ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never reordered
            <Fragment key={index}>{plain(piece)}</Fragment>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never reordered
            <PlaceButton key={index} text={piece} place={place} onOpen={links.open} />
          ),
        )),
    [links],
  );
}

function PlaceButton(props: {
  readonly text: string;
  readonly place: NonNullable<TextPiece['place']>;
  readonly onOpen: FileLinks['open'];
}) {
  const { text, place, onOpen } = props;
  return (
    <button
      type="button"
      title={`Open ${place.file} at line ${place.line}`}
      onClick={() => onOpen(place)}
      className="inline cursor-pointer break-all text-left text-accent underline underline-offset-2"
    >
      <VisibleText text={text} />
    </button>
  );
}
