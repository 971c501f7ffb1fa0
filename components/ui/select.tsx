'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Select as Primitive } from 'radix-ui';
import { useState } from 'react';
import { classNames } from './class-names';

export interface SelectOption {
  /** Must not be the empty string, so "none" needs a value of its own. */
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

export interface SelectProps {
  readonly value: string | undefined;
  readonly onValueChange: (value: string) => void;
  readonly options: readonly SelectOption[];
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly id?: string;
  readonly className?: string;
  readonly size?: 'sm' | 'md';
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
}

/**
 * A list longer than this renders only its chosen option while it is closed, because a hundred hidden options slow the page
 * down.
 */
const fewOptions = 40;

/** Chooses one of several options. Type-ahead, arrows, Home and End work as in a native select. */
export function Select({ value, onValueChange, options, placeholder, disabled, size = 'md', ...rest }: SelectProps) {
  const { className, ...trigger } = rest;
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  const listed = open || options.length <= fewOptions ? options : options.filter((option) => option.value === value);
  return (
    <Primitive.Root value={value ?? ''} onValueChange={onValueChange} onOpenChange={setOpen} disabled={disabled}>
      <Primitive.Trigger
        {...trigger}
        className={classNames(
          'inline-flex w-full min-w-0 cursor-pointer items-center justify-between gap-2 rounded border border-line-strong bg-surface px-2.5 text-ink',
          'transition-colors duration-100 hover:border-faint disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted data-[placeholder]:text-faint',
          size === 'sm' ? 'h-7 text-xs' : 'h-8 text-sm',
          className,
        )}
      >
        <span className="truncate">
          {/* Radix has the words of an option from its list, which is empty until the browser has made it. */}
          <Primitive.Value placeholder={placeholder}>{chosen?.label}</Primitive.Value>
        </span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-lg border bg-raised p-1 shadow-pop"
        >
          <Primitive.Viewport>
            {listed.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className="flex cursor-pointer select-none items-center gap-2 rounded py-1 pr-2 pl-1.5 text-ink text-sm outline-none data-[disabled]:cursor-not-allowed data-[highlighted]:bg-hover data-[disabled]:opacity-50"
              >
                <span className="flex size-4 items-center justify-center">
                  <Primitive.ItemIndicator>
                    <Check aria-hidden className="size-3.5 text-accent" />
                  </Primitive.ItemIndicator>
                </span>
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                {option.hint && <span className="ml-auto pl-4 text-faint text-xs">{option.hint}</span>}
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
