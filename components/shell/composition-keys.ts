import { isComposedKey } from '@/components/ui/composed-key';

/**
 * With an input method (Japanese, Chinese, Korean, dead keys) a person types a word in several steps. Until the word is done, Enter,
 * Escape, Tab and arrows choose among its candidates, so no field and no shortcut of the page may react to them. The text editor is left
 * out, because it handles them itself. Returns a function that removes the listener.
 */
export function keepCompositionKeys(page: Window): () => void {
  const keep = (event: KeyboardEvent) => {
    if (!isComposedKey(event)) return;
    if (event.target instanceof Element && event.target.closest('.cm-editor') !== null) return;
    event.stopImmediatePropagation();
  };
  // The window is the first to hear a key, whichever part of the page listens too.
  page.addEventListener('keydown', keep, { capture: true });
  return () => page.removeEventListener('keydown', keep, { capture: true });
}
