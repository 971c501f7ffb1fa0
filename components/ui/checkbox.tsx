'use client';

import { Check, Minus } from 'lucide-react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { classNames } from './class-names';

export interface CheckboxProps {
  /** The accessible name. */
  readonly label: string;
  /** `mixed`: some of what it stands for is checked. */
  readonly checked: boolean | 'mixed';
  /** The event tells whether Shift was held. */
  readonly onToggle: (event: MouseEvent) => void;
  readonly className?: string;
}

/** A box that is checked by click and Space. Its target is larger than the box. */
export function Checkbox({ label, checked, onToggle, className }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input is mixed only by script, and no form has it
    <button
      type="button"
      role="checkbox"
      aria-label={label}
      aria-checked={checked}
      onClick={onToggle}
      onKeyDown={keepEnter}
      className={classNames(
        'group flex size-8 shrink-0 cursor-pointer items-center justify-center rounded focus-visible:-outline-offset-2',
        className,
      )}
    >
      <span className="flex size-4 items-center justify-center rounded-sm border border-line-strong bg-surface text-accent-ink group-hover:border-faint group-aria-checked:border-accent group-aria-[checked=mixed]:border-accent group-aria-checked:bg-accent group-aria-[checked=mixed]:bg-accent">
        {checked === 'mixed' ? (
          <Minus aria-hidden className="size-3" />
        ) : (
          checked && <Check aria-hidden className="size-3" />
        )}
      </span>
    </button>
  );
}

/** Space toggles a checkbox. Enter, which presses a button, is for the form around it. */
function keepEnter(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault();
}
