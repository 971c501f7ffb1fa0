'use client';

import { Check } from 'lucide-react';
import { Checkbox } from 'radix-ui';

/** A small checkbox without a label of its own. */
export function Tick(props: {
  readonly id?: string;
  readonly label?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly onChange: (on: boolean) => void;
}) {
  return (
    <Checkbox.Root
      id={props.id}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      checked={props.checked}
      disabled={props.disabled}
      className="mt-0.5 flex size-4 shrink-0 cursor-pointer items-center justify-center rounded-sm border border-line-strong bg-surface hover:border-faint disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-accent-ink"
      onCheckedChange={(checked) => props.onChange(checked === true)}
    >
      <Checkbox.Indicator>
        <Check aria-hidden className="size-3" strokeWidth={3} />
      </Checkbox.Indicator>
    </Checkbox.Root>
  );
}
