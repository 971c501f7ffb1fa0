'use client';

import type { ComponentProps } from 'react';
import type { Json } from '@/lib/base/json';
import { DraftInput } from './draft-input';
import { type NumberLimits, numberFault, parseNumber } from './number-text';

/**
 * A field for a number. Text that is no number is not written to the card. It stays in the field and is reported to
 * `onFault`.
 */
export function NumberInput({
  value,
  onChange,
  onFault,
  limits,
  ...rest
}: {
  readonly value: Json | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly onFault: (fault: string | undefined) => void;
  readonly limits?: NumberLimits;
} & Omit<ComponentProps<'input'>, 'value' | 'onChange'>) {
  return (
    <DraftInput
      inputMode="numeric"
      {...rest}
      className="tabular"
      value={typeof value === 'number' || typeof value === 'string' ? `${value}` : ''}
      refuse={(text) => numberFault(text, limits)}
      onFault={onFault}
      onCommit={(text) => onChange(parseNumber(text))}
    />
  );
}
