'use client';

import { Slot } from 'radix-ui';
import { type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { LaterPress } from './later-press';

export interface LaterMenuProps {
  readonly button: ReactElement;
  /** Loads the code of the menu. It is called when the pointer or the focus comes to the button. */
  readonly load: () => void;
  /** Draws the menu around its button, open at first. It is called once the button was pressed. */
  readonly children: (trigger: ReactNode) => ReactNode;
}

/** A button whose menu is loaded when it is used: the code that places menus is larger than all else that some pages load. */
export function LaterMenu({ button, load, children }: LaterMenuProps) {
  const [pressed, setPressed] = useState<'pointer' | 'key'>();
  const [hasFailed, setFailed] = useState(false);
  const press = useMemo(() => {
    const onNotLoaded = () => {
      setPressed(undefined);
      setFailed(true);
    };
    return { byKey: pressed === 'key', onNotLoaded };
  }, [pressed]);
  if (pressed !== undefined) return <LaterPress value={press}>{children(button)}</LaterPress>;
  return (
    <Slot.Root
      ref={hasFailed ? takeLostFocus : undefined}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={load}
      onFocus={load}
      // A click that a key makes has no count.
      onClick={(event: MouseEvent) => setPressed(event.detail === 0 ? 'key' : 'pointer')}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setPressed('key');
      }}
    >
      {button}
    </Slot.Root>
  );
}

/** The button is another element after its menu could not be loaded, so the focus of the former one is lost. */
function takeLostFocus(button: HTMLElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}
