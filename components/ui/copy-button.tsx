'use client';

import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from './icon-button';

export interface CopyButtonProps {
  readonly text: string | (() => string | Promise<string>);
  /** Names what is copied, such as "Copy answer". */
  readonly label?: string;
  readonly size?: 'sm' | 'md';
  /** Stands for what is copied; two sheets by default. */
  readonly icon?: ReactNode;
}

export function CopyButton({ text, label = 'Copy', size = 'sm', icon = <Copy aria-hidden /> }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1500);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch {
      // The browser may refuse the clipboard (permission, no focus), and then the button says so.
      setState('refused');
    }
  };

  const name = state === 'copied' ? 'Copied' : state === 'refused' ? 'The browser refused the clipboard' : label;
  return (
    <IconButton
      size={size}
      label={name}
      icon={state === 'copied' ? <Check aria-hidden className="text-ok" /> : icon}
      onClick={copy}
    />
  );
}
