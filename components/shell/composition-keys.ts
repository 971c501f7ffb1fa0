/**
 * With an input method (Japanese, Chinese, Korean, dead keys) a person types a word in several steps. Until the word is done, Enter,
 * Escape, Tab and arrows choose among its candidates, so no field, menu, dialog or shortcut of the page may react to them. Returns a
 * function that removes the listener.
 */
export function keepCompositionKeys(page: Window): () => void {
  const keep = (event: KeyboardEvent) => {
    if (!event.isComposing && (event.keyCode !== codeOfComposedKey || isCountedByEditor(event))) return;
    event.stopImmediatePropagation();
    // Chrome itself empties a search field.
    if (event.key === 'Escape') event.preventDefault();
  };
  // The window is the first to hear a key, whichever part of the page listens too.
  page.addEventListener('keydown', keep, { capture: true });
  return () => page.removeEventListener('keydown', keep, { capture: true });
}

/** Safari sends the key that ends a word after the composition. Its code alone says so (UI Events, section 5.2.5). */
const codeOfComposedKey = 229;

/**
 * True if the text editor has to hear the key, because CodeMirror counts keys after a composition and ignores the right ones. Escape is
 * kept from it too: it would close a menu or dialog around the editor.
 */
function isCountedByEditor({ key, target }: KeyboardEvent): boolean {
  return key !== 'Escape' && target instanceof Element && target.closest('.cm-content') !== null;
}
