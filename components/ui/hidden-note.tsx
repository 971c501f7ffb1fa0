import { visibleText } from '@/lib/base/visible-text';
import { VisibleText } from './visible-text';

/** Shows the text of a field once more if it has characters that nobody sees, because a field cannot mark them. */
export function HiddenNote({ text }: { readonly text: string }) {
  if (visibleText(text).every((part) => part.hidden === undefined)) return null;
  return (
    <p role="note" className="whitespace-pre-wrap break-words text-warn text-xs">
      It has characters that nobody sees:{' '}
      <span className="text-ink">
        <VisibleText text={text} />
      </span>
    </p>
  );
}
