import { type HiddenCharacter, type TextUse, visibleText } from '@/lib/base/visible-text';

export interface VisibleTextProps {
  readonly text: string;
  /** `exact` (the default) for values, names and code. `prose` leaves joiners inside words and emoji as they are. */
  readonly use?: TextUse;
  /** The direction of the text. Code is read from left to right; otherwise the first letter decides. */
  readonly dir?: 'auto' | 'ltr';
}

/**
 * Shows text of people, models and programs as it is. Characters that nobody sees have a mark with their code, and a text
 * cannot reorder what stands beside it.
 */
export function VisibleText({ text, use, dir = 'auto' }: VisibleTextProps) {
  return (
    <bdi dir={dir}>
      {visibleText(text, use).map((part, index) =>
        part.hidden === undefined ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
          <HiddenMark key={index} character={part.hidden} times={[...part.text].length} />
        ),
      )}
    </bdi>
  );
}

/** The mark of a character that nobody sees. */
export function HiddenMark({ character, times = 1 }: { readonly character: HiddenCharacter; readonly times?: number }) {
  const { code, name } = character;
  const count = times > 1 ? ` ×${times}` : '';
  return (
    <span
      title={`${name}${count}`}
      className="mx-px inline-block whitespace-nowrap rounded-xs bg-warn-soft px-0.5 font-mono text-[0.85em] text-warn leading-tight outline outline-warn/50 -outline-offset-1 [unicode-bidi:isolate]"
    >
      {code}
      {count}
    </span>
  );
}
