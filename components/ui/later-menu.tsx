'use client';

import { Slot } from 'radix-ui';
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react';

export interface LaterMenuProps {
  readonly button: ReactElement;
  /** Loads the code of the menu. It is called when the pointer or the focus comes to the button. */
  readonly load: () => void;
  /** Draws the menu around its button, open at first. It is called once the button was pressed. */
  readonly children: (trigger: ReactNode) => ReactNode;
}

/** A button whose menu is no part of the page until it is used: code that places menus is larger than some pages. */
export function LaterMenu({ button, load, children }: LaterMenuProps) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return children(button);
  return (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setWanted(true);
      }}
    >
      {button}
    </Slot.Root>
  );
}
