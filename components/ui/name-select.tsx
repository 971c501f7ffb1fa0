'use client';

import { memo } from 'react';
import { Select, type SelectProps } from './select';

/**
 * A select over names, which may be hundreds. It renders again only when its value or its options change, so the callback
 * must only use values that never change.
 */
export const NameSelect = memo(
  function NameSelect(props: SelectProps) {
    return <Select {...props} />;
  },
  (before, after) =>
    before.value === after.value &&
    before.disabled === after.disabled &&
    before.placeholder === after.placeholder &&
    before.id === after.id &&
    before.onValueChange === after.onValueChange &&
    before.options.length === after.options.length &&
    before.options.every((option, index) => {
      const other = after.options[index];
      return option.value === other?.value && option.label === other.label;
    }),
);
