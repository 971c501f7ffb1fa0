export interface PanelState {
  /** The size in pixels. */
  readonly size: number;
  readonly open: boolean;
}

/** Reads `"320"` or `"320 closed"`. Any other text gives the default. */
export function parsePanel(stored: string, defaultSize: number, defaultOpen = true): PanelState {
  const match = /^(\d{1,5})( closed)?$/.exec(stored);
  if (!match) return { size: defaultSize, open: defaultOpen };
  return { size: Number(match[1]), open: match[2] === undefined };
}

export interface PanelKey {
  readonly key: string;
  readonly big: boolean;
  readonly side: 'left' | 'right' | 'top' | 'bottom';
  readonly size: number;
  readonly min: number;
  readonly max: number;
}

const toward = {
  left: { ArrowRight: 1, ArrowLeft: -1 },
  right: { ArrowLeft: 1, ArrowRight: -1 },
  top: { ArrowDown: 1, ArrowUp: -1 },
  bottom: { ArrowUp: 1, ArrowDown: -1 },
} as const;

/** Returns the size that a key on the handle asks for, or `undefined` when the key is not one of the handle's. */
export function resizePanel({ key, big, side, size, min, max }: PanelKey): number | undefined {
  if (key === 'Home') return min;
  if (key === 'End') return max;
  const steps: Readonly<Record<string, number>> = toward[side];
  const direction = steps[key];
  if (direction === undefined) return undefined;
  return Math.min(max, Math.max(min, size + direction * (big ? 64 : 16)));
}
