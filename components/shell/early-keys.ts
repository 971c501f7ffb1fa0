/** What was typed for the palette before it was there. */
export interface EarlyKeys {
  text: string;
  /** True if Enter was pressed after the text. */
  isEntered: boolean;
  /** True as soon as the palette takes keys itself. */
  isOver: boolean;
}

export function noEarlyKeys(): EarlyKeys {
  return { text: '', isEntered: false, isOver: false };
}

/**
 * Keeps a key that is pressed while the palette is loaded: it is meant for the palette, and the page behind must not act on it. Returns
 * `close` for Escape, `kept` for a key that was kept, and `undefined` for a key with Ctrl, Alt or Meta and for F1 to F12, which are left to the page and the browser.
 */
export function keepKey(
  early: EarlyKeys,
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): 'kept' | 'close' | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key)) return undefined;
  if (event.key === 'Escape') return 'close';
  if (early.isEntered) return 'kept';
  if (event.key === 'Enter') early.isEntered = true;
  else if (event.key === 'Backspace') early.text = early.text.slice(0, -1);
  else if (event.key.length === 1) early.text += event.key;
  return 'kept';
}
