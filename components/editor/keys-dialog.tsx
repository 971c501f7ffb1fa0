'use client';

import { KeyHelp } from '@/components/ui/key-help';
import { keyGroups } from './keys';

export function KeysDialog(props: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) {
  return <KeyHelp groups={keyGroups} {...props} />;
}
