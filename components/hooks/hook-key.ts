export type HookKey =
  | { readonly do: 'go'; readonly by: -1 | 1 }
  | { readonly do: 'move'; readonly by: -1 | 1 }
  | { readonly do: 'remove' | 'add' | 'switch' | 'menu' | 'leave' };

type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

const steps: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Returns what a key does with the hook that has the focus. Other keys are left to the button. Without `mayEdit` no key
 * changes the chain.
 */
export function hookKey(event: Key, mayEdit: boolean): HookKey | undefined {
  const key = keyOf(event);
  const changes = key?.do === 'move' || key?.do === 'remove' || key?.do === 'add' || key?.do === 'switch';
  return changes && !mayEdit ? undefined : key;
}

function keyOf(event: Key): HookKey | undefined {
  if (event.ctrlKey || event.metaKey) return undefined;
  const by = steps[event.key];
  if (by !== undefined && !event.shiftKey) return { do: event.altKey ? 'move' : 'go', by };
  if (event.altKey) return undefined;
  switch (event.key) {
    case 'Delete':
    case 'Backspace':
      return { do: 'remove' };
    case 'Insert':
    case '+':
      return { do: 'add' };
    case 'o':
    case 'O':
      return { do: 'switch' };
    case 'ContextMenu':
      return { do: 'menu' };
    case 'F10':
      return event.shiftKey ? { do: 'menu' } : undefined;
    case 'Escape':
      return { do: 'leave' };
    default:
      return undefined;
  }
}
