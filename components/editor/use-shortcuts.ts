'use client';

import { useEffect } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useActions } from '@/components/editor-state/project-context';
import { useRunActions } from '@/components/editor-state/run-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { isTyping } from '@/components/ui/typing';

/** Handles keys that work anywhere in the editor. A code editor that has used a key keeps it. */
export function useShortcuts(open: { readonly keys: () => void; readonly find: () => void }) {
  const actions = useActions();
  const commands = useCommands();
  const run = useRunActions();
  const mayRun = useAccess().rights.includes('run');
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented) return;
      const mod = event.metaKey || event.ctrlKey;
      const key = event.key.toLowerCase();
      const act = mod ? withMod(key, event.shiftKey, isTyping(event.target)) : plain(event);
      if (act === undefined) return;
      event.preventDefault();
      act();
    }

    function withMod(key: string, shift: boolean, typing: boolean): (() => void) | undefined {
      switch (key) {
        case 's':
          return () => void actions.save();
        case 'f':
          // A code editor that has the focus opens its own search and keeps the key.
          return shift ? undefined : open.find;
        case 'enter':
          return mayRun ? () => commands.run() : undefined;
        case '.':
          return () => void run.stop();
        case 'z':
          // Forms write into the document at every keystroke, so the document's undo is the field's undo too.
          return shift ? actions.redo : actions.undo;
        case 'y':
          return typing ? undefined : actions.redo;
        default:
          return undefined;
      }
    }

    function plain(event: KeyboardEvent): (() => void) | undefined {
      return event.key === '?' && !isTyping(event.target) ? open.keys : undefined;
    }

    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actions, commands, run, open, mayRun]);
}
