'use client';

import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { isTyping } from '@/components/ui/typing';

const RunKeyHelp = later(async () => (await import('./run-key-help')).RunKeyHelp, null);

/** A button, and the key `?`, that show the keys of the run page. */
export function RunKeys() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== '?' || event.ctrlKey || event.metaKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      setShown(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <span className="max-sm:hidden">
        <IconButton size="sm" label="Keys" keys="?" icon={<Keyboard aria-hidden />} onClick={() => setShown(true)} />
      </span>
      {shown && <RunKeyHelp onClose={() => setShown(false)} />}
    </>
  );
}
