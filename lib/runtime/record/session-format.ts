import { z } from 'zod';
import { newerRecord, UnreadableRecord } from './event-format';
import { sessionContent } from './event-schema';
import type { SessionContent } from './events';

/** The format in which this code writes sessions. Sessions without the field have format 1. */
export const sessionFormat = 1;

const outline = z.object({ format: z.number().default(1) });

/** Reads a stored session from its JSON. Throws `UnreadableRecord` for a newer format and for a value that is not a session. */
export function readSessionRecord(stored: unknown): SessionContent {
  const { format } = outline.catch({ format: 1 }).parse(stored);
  if (format > sessionFormat) throw new UnreadableRecord(newerRecord('Sessions', format, sessionFormat));
  const read = sessionContent.safeParse(stored);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'it' : `'${issue.path.join('.')}'`;
  throw new UnreadableRecord(
    `A stored session is damaged: ${place} is not as this version of Callboard writes it. Begin a new one.`,
  );
}

/** The JSON of a session to store. */
export function sessionRecord({ history, state, activeGroups }: SessionContent): SessionContent & { format: number } {
  return { format: sessionFormat, history, state, activeGroups };
}
