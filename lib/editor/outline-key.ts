import type { OutlineRow } from './outline';

export type OutlineKey =
  | { readonly do: 'focus'; readonly row: OutlineRow | undefined }
  | { readonly do: 'toggle'; readonly open: boolean }
  | { readonly do: 'open' | 'select' | 'rename' | 'remove' | 'add' };

/**
 * Decides what a key does on `row` of the outline, as in any tree of the ARIA practices. Returns `undefined` to leave the
 * key to the browser.
 */
export function outlineKey(key: string, rows: readonly OutlineRow[], row: OutlineRow): OutlineKey | undefined {
  const index = rows.indexOf(row);
  switch (key) {
    case 'ArrowDown':
      return { do: 'focus', row: rows[index + 1] };
    case 'ArrowUp':
      return { do: 'focus', row: rows[index - 1] };
    case 'Home':
      return { do: 'focus', row: rows[0] };
    case 'End':
      return { do: 'focus', row: rows.at(-1) };
    case 'ArrowRight':
      if (row.open) return { do: 'focus', row: rows[index + 1] };
      return row.hasChildren && !row.repeated ? { do: 'toggle', open: true } : undefined;
    case 'ArrowLeft':
      if (row.open) return { do: 'toggle', open: false };
      return { do: 'focus', row: rows.slice(0, index).findLast((one) => one.depth < row.depth) };
    case 'Enter':
      return { do: 'open' };
    case ' ':
      return { do: 'select' };
    case 'F2':
      return { do: 'rename' };
    case 'Delete':
      return { do: 'remove' };
    case 'n':
    case 'N':
      return { do: 'add' };
    default:
      return undefined;
  }
}
