/** Keys with which a question is answered and the inbox is walked. A key answers nothing in the first moments of a question. */

export type QuestionAction = 'approve' | 'remember' | 'edit' | 'deny' | 'next' | 'previous' | 'select' | 'help';

export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
}

/** A question that has been shown for less than this (milliseconds) is not answered: the key or click was for the one before. */
export const guardMs = 400;

/** Returns what a key does; `undefined` for keys that do nothing here. */
export function questionAction(key: PressedKey): QuestionAction | undefined {
  if (key.ctrlKey || key.metaKey || key.altKey) return undefined;
  switch (key.key.toLowerCase()) {
    case 'j':
      return 'next';
    case 'k':
      return 'previous';
    case 'x':
      return key.repeat || key.shiftKey ? undefined : 'select';
    case '?':
      return 'help';
    case 'a':
      // A key that is held must not answer one question after the other.
      if (key.repeat) return undefined;
      return key.shiftKey ? 'remember' : 'approve';
    case 'e':
      return key.repeat || key.shiftKey ? undefined : 'edit';
    case 'd':
      return key.repeat || key.shiftKey ? undefined : 'deny';
    default:
      return undefined;
  }
}
