'use client';

import { Check, Minus } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';
import type { MouseEvent } from 'react';
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
    <Primitive.Root
      aria-label={label}
      checked={checked === 'mixed' ? 'indeterminate' : checked}
      onClick={onToggle}
      className={classNames(
        'group flex size-8 shrink-0 cursor-pointer items-center justify-center rounded focus-visible:-outline-offset-2',
        className,
      )}
    >
      <span className="flex size-4 items-center justify-center rounded-sm border border-line-strong bg-surface text-accent-ink group-hover:border-faint group-data-[state=checked]:border-accent group-data-[state=indeterminate]:border-accent group-data-[state=checked]:bg-accent group-data-[state=indeterminate]:bg-accent">
        {checked === 'mixed' ? (
          <Minus aria-hidden className="size-3" />
        ) : (
          checked && <Check aria-hidden className="size-3" />
        )}
      </span>
    </Primitive.Root>
  );
}
