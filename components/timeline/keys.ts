export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export type KeyAction =
  | { readonly do: 'zoom'; readonly by: number }
  | { readonly do: 'pan'; readonly by: number }
  | { readonly do: 'event' | 'event-in-lane' | 'error' | 'row' | 'edge'; readonly by: 1 | -1 }
  | { readonly do: 'fit' | 'focus' | 'toggle' | 'clear' | 'slowest' | 'menu' };

const held: Readonly<Record<string, KeyAction>> = {
  w: { do: 'zoom', by: 0.8 },
  s: { do: 'zoom', by: 1.25 },
  a: { do: 'pan', by: -0.15 },
  d: { do: 'pan', by: 0.15 },
  f: { do: 'fit' },
  '1': { do: 'fit' },
  '2': { do: 'focus' },
  z: { do: 'focus' },
  l: { do: 'slowest' },
  Escape: { do: 'clear' },
  Enter: { do: 'toggle' },
  ContextMenu: { do: 'menu' },
  ArrowUp: { do: 'row', by: -1 },
  ArrowDown: { do: 'row', by: 1 },
};

/** Returns what a key does while the lanes have the focus, or `undefined` to leave it to the browser. */
export function keyAction(event: KeyPress): KeyAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const arrow = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined;
  if (arrow !== undefined) return { do: event.shiftKey ? 'event-in-lane' : 'event', by: arrow };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.shiftKey && (key === 'Home' || key === 'End')) return { do: 'edge', by: key === 'Home' ? -1 : 1 };
  if (event.shiftKey && key === 'F10') return { do: 'menu' };
  if (key === 'e') return { do: 'error', by: event.shiftKey ? -1 : 1 };
  return held[key];
}
