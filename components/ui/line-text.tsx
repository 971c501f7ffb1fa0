import { hiddenCharacter } from '@/lib/base/visible-text';
import type { DiffLine } from './line-diff';
import { HiddenMark, VisibleText } from './visible-text';

/** Shows a line of code, and what ends it where that is unusual. */
export function LineText({ line: { text, end = '' } }: { readonly line: Pick<DiffLine, 'text' | 'end'> }) {
  return (
    <>
      <VisibleText text={text} dir="ltr" />
      {[...end].map((character) => (
        <HiddenMark key={character} character={hiddenCharacter(character)} />
      ))}
    </>
  );
}
