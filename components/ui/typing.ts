/** What people type into, also while it is locked. The text of a code editor that can only be read is one too. */
const fields =
  'input, textarea, select, [contenteditable], .cm-editor, [role="textbox"], [role="combobox"], [role="searchbox"], [role="spinbutton"]';

/** True if an element is a field, or in one, whether it can be edited now or not. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(fields) !== null;
}

/** The field that lost the focus without the person's doing, or that was clicked while it was locked. */
let lost = false;

/**
 * True if a key or an event of the clipboard is meant for a field, so that no shortcut of the page may take it. That is also so when
 * the field was locked or removed while somebody typed: then the browser sends the keys to the page itself.
 */
export function isTyping(target: EventTarget | null): boolean {
  return isField(target) || (lost && isPage(target));
}

/** True for what has the keys when nothing else has the focus. A click beside everything gives the focus to the main part. */
function isPage(target: EventTarget | null): boolean {
  return (
    target === document.body ||
    target === document.documentElement ||
    (target instanceof Element && target.id === 'main')
  );
}

/**
 * Watches which field has the focus, for `isTyping`. A person leaves a field with the mouse, with Tab, Enter, Escape or a shortcut; a
 * field that goes in any other way is lost. Returns a function that stops it.
 */
export function watchFields(page: Window): () => void {
  /** The field with the focus, and whether the last key in it was typed text. */
  let field: Element | undefined;
  let typed = false;

  const onFocusIn = ({ target }: FocusEvent) => {
    if (isPage(target)) return;
    field = target instanceof Element && isField(target) ? target : undefined;
    typed = field !== undefined;
    lost = false;
  };
  const onPointerDown = (event: PointerEvent) => {
    field = undefined;
    lost = lockedFieldAt(event) !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isField(event.target)) typed = isText(event);
    else if (field !== undefined) {
      lost = isLocked(field) || (typed && !isShown(field));
      field = undefined;
    } else if (event.key === 'Tab' || event.key === 'Escape') lost = false;
  };

  // The shortcut of a paste writes text too, and a form that takes what was pasted may replace the field.
  const onPaste = ({ target }: ClipboardEvent) => {
    if (isField(target)) typed = true;
  };

  page.addEventListener('focusin', onFocusIn, { capture: true });
  page.addEventListener('pointerdown', onPointerDown, { capture: true });
  page.addEventListener('keydown', onKeyDown, { capture: true });
  page.addEventListener('paste', onPaste, { capture: true });
  return () => {
    lost = false;
    page.removeEventListener('focusin', onFocusIn, { capture: true });
    page.removeEventListener('pointerdown', onPointerDown, { capture: true });
    page.removeEventListener('keydown', onKeyDown, { capture: true });
    page.removeEventListener('paste', onPaste, { capture: true });
  };
}

const leaving: ReadonlySet<string> = new Set(['Tab', 'Enter', 'Escape']);

/** True for keys that write or delete text, or move in it. */
function isText(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !leaving.has(event.key) && !/^F\d+$/.test(event.key);
}

function isLocked(field: Element): boolean {
  return field.isConnected && (field.matches(':disabled') || field.closest('[inert]') !== null);
}

function isShown(field: Element): boolean {
  return field.isConnected && field.getClientRects().length > 0;
}

/** Browsers let the mouse through a field that is inert, so its place decides. */
function lockedFieldAt({ clientX: x, clientY: y, target }: PointerEvent): Element | undefined {
  if (isField(target)) return undefined;
  return [...document.querySelectorAll(fields)].find((field) => {
    if (!isLocked(field)) return false;
    const box = field.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  });
}
