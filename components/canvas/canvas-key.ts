import type { Point } from '@/lib/graph/graph';
import type { Direction } from './walk';

export type CanvasKey =
  | { readonly do: 'go'; readonly to: Direction }
  /** `by` is in steps of the grid. */
  | { readonly do: 'move'; readonly by: Point }
  | {
      readonly do:
        | 'select-all'
        | 'duplicate'
        | 'open'
        | 'rename'
        | 'remove'
        | 'select-nothing'
        | 'fit'
        | 'fit-selection'
        | 'add'
        | 'connect'
        | 'next-wire'
        | 'group'
        | 'tidy';
    };

const plain: Readonly<Record<string, CanvasKey>> = {
  ArrowLeft: { do: 'go', to: 'left' },
  ArrowRight: { do: 'go', to: 'right' },
  ArrowUp: { do: 'go', to: 'up' },
  ArrowDown: { do: 'go', to: 'down' },
  Enter: { do: 'open' },
  F2: { do: 'rename' },
  Delete: { do: 'remove' },
  Backspace: { do: 'remove' },
  Escape: { do: 'select-nothing' },
  '1': { do: 'fit' },
  '2': { do: 'fit-selection' },
  c: { do: 'connect' },
  C: { do: 'connect' },
  w: { do: 'next-wire' },
  W: { do: 'next-wire' },
  n: { do: 'add' },
  N: { do: 'add' },
  L: { do: 'tidy' },
};

const withMod: Readonly<Record<string, CanvasKey>> = {
  a: { do: 'select-all' },
  d: { do: 'duplicate' },
  g: { do: 'group' },
};

const withShift: Readonly<Record<string, CanvasKey>> = {
  ArrowLeft: { do: 'move', by: { x: -1, y: 0 } },
  ArrowRight: { do: 'move', by: { x: 1, y: 0 } },
  ArrowUp: { do: 'move', by: { x: 0, y: -1 } },
  ArrowDown: { do: 'move', by: { x: 0, y: 1 } },
};

/**
 * Returns what a key does on the canvas with this number of selected nodes. Returns `undefined` to leave the key to the
 * browser and the page.
 */
export function canvasKey(
  event: {
    readonly key: string;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
    readonly shiftKey?: boolean;
  },
  selected: number,
): CanvasKey | undefined {
  if (event.ctrlKey || event.metaKey) {
    const held = withMod[event.key.toLowerCase()];
    return held?.do === 'group' && selected === 0 ? undefined : held;
  }
  const act = (event.shiftKey && selected > 0 ? withShift[event.key] : undefined) ?? plain[event.key];
  if (act === undefined || (event.altKey && act.do !== 'go')) return undefined;
  if ((act.do === 'open' || act.do === 'rename' || act.do === 'connect') && selected !== 1) return undefined;
  return act.do === 'fit-selection' && selected === 0 ? undefined : act;
}
