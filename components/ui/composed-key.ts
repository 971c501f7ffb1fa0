/** True for a key that belongs to an input method, such as the Escape that leaves its list of candidates. */
export function isComposedKey(event: KeyboardEvent): boolean {
  // Safari sends the key that ends a word after the composition. Its code alone says so (UI Events, section 5.2.5: 229).
  return event.isComposing || event.keyCode === codeOfComposedKey;
}

const codeOfComposedKey = 229;
