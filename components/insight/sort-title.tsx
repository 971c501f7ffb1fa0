import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from '@/components/ui/class-names';

/** The title of a column that sorts. `direction` is set for the column that the table is sorted by. */
export function SortTitle(props: {
  readonly word: string;
  readonly title: string;
  readonly left?: boolean;
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly onSort: () => void;
}) {
  const { word, title, left, direction, onSort } = props;
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table is made of positioned rows
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside is focused
    <span role="columnheader" aria-sort={direction ?? 'none'} className="flex min-w-0 items-center">
      <button
        type="button"
        title={title}
        onClick={onSort}
        className={classNames(
          'flex w-full cursor-pointer items-center gap-0.5 whitespace-nowrap text-2xs hover:text-ink',
          left ? 'justify-start' : 'justify-end',
          direction === undefined ? 'text-faint' : 'font-medium text-ink',
        )}
      >
        {word}
        {direction !== undefined && <Arrow aria-hidden className="size-3" />}
      </button>
    </span>
  );
}
