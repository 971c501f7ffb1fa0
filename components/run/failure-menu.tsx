'use client';

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import type { FailureItemsProps } from './failure-items';

const FailureItems = later(
  async () => (await import('./failure-items')).FailureItems,
  ({ trigger }) => trigger,
);

/** A button that lists the failures of a run. Its menu is loaded when it is pressed. */
export function FailureMenu({
  disabled,
  ...props
}: Omit<FailureItemsProps, 'trigger'> & { readonly disabled: boolean }) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <IconButton
      size="sm"
      label="List of failures"
      aria-haspopup="menu"
      icon={<ChevronDown aria-hidden />}
      disabled={disabled}
      onClick={() => setWanted(true)}
      className="-ml-1 w-4!"
    />
  );
  return isWanted && !disabled ? <FailureItems {...props} trigger={button} /> : button;
}
