'use client';

import { ChevronDown } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import type { FailureItemsProps } from './failure-items';

const FailureItems = later(
  async () => (await import('./failure-items')).FailureItems,
  ({ trigger }) => trigger,
);

/** A button that lists the failures of a run. */
export function FailureMenu({
  disabled,
  ...props
}: Omit<FailureItemsProps, 'trigger'> & { readonly disabled: boolean }) {
  const button = (
    <IconButton
      size="sm"
      label="List of failures"
      icon={<ChevronDown aria-hidden />}
      disabled={disabled}
      className="-ml-1 w-4!"
    />
  );
  return (
    <LaterMenu button={button} load={FailureItems.load}>
      {(trigger) => <FailureItems {...props} trigger={trigger} />}
    </LaterMenu>
  );
}
