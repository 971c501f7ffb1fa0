'use client';

import { createContext } from 'react';

/** What a menu that is loaded later knows about the press that asked for it. */
interface LaterPressed {
  /** True if a key was pressed, and not a pointer: then the first item gets the focus. */
  readonly byKey: boolean;
  /** Called when the code of the menu could not be loaded. A further press tries again. */
  readonly onNotLoaded: () => void;
}

export const LaterPress = createContext<LaterPressed>({ byKey: false, onNotLoaded: () => {} });
