import { z } from 'zod';
import { AppError } from './app-error';

/**
 * The name of a person, a project or a passkey, as it comes in. It has no characters that end a line, that a terminal
 * interprets, or that turn the direction of the text after it, because names are shown in lists, mails, logs and terminals.
 */
export const displayName = z
  .string()
  .trim()
  .regex(
    /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]*$/u,
    'The name has control characters. Type it again without them.',
  );

/** Returns a name that somebody gave, without spaces at its ends. Throws AppError `bad_request` with what is wrong with it. */
export function readName(given: string): string {
  const name = displayName.safeParse(given);
  if (!name.success) throw new AppError('bad_request', name.error.issues[0]?.message ?? 'This is no name.');
  return name.data;
}
