import type { Direction } from './walk';

export type CanvasKey =
  | { readonly do: 'go'; readonly to: Direction }
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
        | 'lay-out';
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
  n: { do: 'add' },
  N: { do: 'add' },
  L: { do: 'lay-out' },
};

const withMod: Readonly<Record<string, CanvasKey>> = { a: { do: 'select-all' }, d: { do: 'duplicate' } };

/**
 * Returns what a key does on the canvas with this number of selected nodes. Returns `undefined` to leave the key to the
 * browser and the page.
 */
export function canvasKey(
  event: { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean },
  selected: number,
): CanvasKey | undefined {
  if (event.ctrlKey || event.metaKey) return withMod[event.key.toLowerCase()];
  const act = plain[event.key];
  if (act === undefined || (event.altKey && act.do !== 'go')) return undefined;
  if ((act.do === 'open' || act.do === 'rename') && selected !== 1) return undefined;
  return act.do === 'fit-selection' && selected === 0 ? undefined : act;
}
