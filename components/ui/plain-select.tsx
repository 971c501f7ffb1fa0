import { ChevronDown } from 'lucide-react';
import { classNames } from './class-names';

export interface PlainSelectProps {
  /** The accessible name, which is also the tooltip. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly className?: string;
}

/** Chooses one of a few options with the browser's own list, where a page must load little. */
export function PlainSelect({ label, value, options, onChange, className }: PlainSelectProps) {
  return (
    <span
      className={classNames(
        'relative inline-flex shrink-0 items-center rounded border border-line-strong bg-surface transition-colors duration-100 hover:border-faint',
        className,
      )}
    >
      <select
        aria-label={label}
        title={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="h-6 cursor-pointer appearance-none rounded bg-transparent pr-6 pl-2 text-ink text-xs tabular-nums"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-surface text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-1.5 size-3 text-faint" />
    </span>
  );
}
