'use client';

import { createContext, use } from 'react';
import type { Commands } from '@/lib/editor/commands';

export const CommandsContext = createContext<Commands | undefined>(undefined);

/** What gestures, forms and menus do to the document; stable. */
export function useCommands(): Commands {
  const commands = use(CommandsContext);
  if (commands === undefined) throw new Error('Bug: a part of the editor outside its project');
  return commands;
}
