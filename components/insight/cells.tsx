import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';

export function TitleCell({ children, left }: { readonly children: ReactNode; readonly left?: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table is made of positioned rows
    // biome-ignore lint/a11y/useFocusableInteractive: a title is not interactive
    <span
      role="columnheader"
      className={classNames('flex items-center whitespace-nowrap text-2xs text-faint', !left && 'justify-end')}
    >
      {children}
    </span>
  );
}

/** A name with the colour of its kind. A long one is cut, and its title has the whole. */
export function NameCell(props: {
  readonly name: string;
  readonly note?: string;
  readonly colour?: string;
  readonly faint?: boolean;
}) {
  const { name, note, colour, faint } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table is made of positioned rows
    // biome-ignore lint/a11y/useFocusableInteractive: the row is focused, not the cell
    <span role="gridcell" title={note ? `${name} · ${note}` : name} className="flex min-w-0 items-center gap-1.5">
      {colour && <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', colour)} />}
      <span className={classNames('truncate', faint ? 'text-muted' : 'text-ink')}>{name}</span>
      {note && <span className="min-w-0 shrink-[3] truncate text-2xs text-faint">{note}</span>}
    </span>
  );
}

export function NumberCell(props: {
  readonly children: ReactNode;
  readonly strong?: boolean;
  readonly bad?: boolean;
  readonly title?: string;
}) {
  const { children, strong, bad, title } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the table is made of positioned rows
    // biome-ignore lint/a11y/useFocusableInteractive: the row is focused, not the cell
    <span
      role="gridcell"
      title={title}
      className={classNames(
        'whitespace-nowrap text-right tabular-nums',
        bad ? 'text-bad' : strong ? 'text-ink' : 'text-muted',
      )}
    >
      {children}
    </span>
  );
}
