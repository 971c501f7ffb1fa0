'use client';

import { createContext, use } from 'react';
import type { Commands } from '@/lib/editor/commands';

export const CommandsContext = createContext<Commands | undefined>(undefined);

/** Returns the commands behind gestures, forms and menus. They never change. */
export function useCommands(): Commands {
  const commands = use(CommandsContext);
  if (commands === undefined) throw new Error('Bug: a part of the editor outside its project');
  return commands;
}
