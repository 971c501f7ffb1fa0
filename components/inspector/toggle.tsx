'use client';

import { Check } from 'lucide-react';
import { Checkbox } from 'radix-ui';
import { type ReactNode, useId } from 'react';

/** A checkbox with its label beside it and a note below. */
export function Toggle(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
  readonly note?: ReactNode;
  readonly invalid?: boolean;
}) {
  const { label, checked, onChange, note, invalid } = props;
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Checkbox.Root
        id={id}
        checked={checked}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        aria-invalid={invalid || undefined}
        className="mt-0.5 flex size-4 shrink-0 cursor-pointer items-center justify-center rounded-sm border border-line-strong bg-surface text-accent-ink hover:border-faint data-[state=checked]:border-accent data-[state=checked]:bg-accent"
        onCheckedChange={(on) => onChange(on === true)}
      >
        <Checkbox.Indicator>
          <Check aria-hidden className="size-3" strokeWidth={3} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <span className="min-w-0">
        <label htmlFor={id} className="cursor-pointer text-ink text-sm">
          {label}
        </label>
        {note === undefined ? null : (
          <span id={`${id}-note`} className="block text-faint text-xs">
            {note}
          </span>
        )}
      </span>
    </div>
  );
}
