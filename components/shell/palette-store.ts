import type { ReactNode } from 'react';
import type { FoundBy } from '@/lib/client/find-rows';

/** A row of the command palette. It acts, or leads to a page of the app. */
export interface PaletteRow extends FoundBy {
  /** Different for each row of a group. */
  readonly id: string;
  readonly does: (() => void) | { readonly href: string };
  /** Keys that do the same, as `Keys` writes them. */
  readonly keys?: string;
  /** What kind of thing it is. */
  readonly note?: string;
  readonly icon?: ReactNode;
  /** True for a name that is a path. */
  readonly isCode?: boolean;
}

export interface PaletteGroup {
  readonly title: string;
  /** Groups that fit a query equally well are listed in this order. */
  readonly place: number;
  readonly rows: readonly PaletteRow[];
  /** True if the rows are few and are all listed without a query. */
  readonly isShort?: boolean;
}

/** The state of the palette of a window. A page adds the groups of its own while the palette is open. */
export interface Palette {
  readonly isOpen: () => boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly groups: () => ReadonlyMap<string, PaletteGroup>;
  /** Shows a group, in place of the one of this name. */
  readonly put: (name: string, group: PaletteGroup) => void;
  readonly take: (name: string) => void;
  /** Runs `listener` after each change. Returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createPalette(): Palette {
  const listeners = new Set<() => void>();
  let open = false;
  let groups: ReadonlyMap<string, PaletteGroup> = new Map();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    isOpen: () => open,
    setOpen(isOpen) {
      if (isOpen === open) return;
      open = isOpen;
      tell();
    },
    groups: () => groups,
    put(name, group) {
      groups = new Map(groups).set(name, group);
      tell();
    },
    take(name) {
      const rest = new Map(groups);
      rest.delete(name);
      groups = rest;
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
