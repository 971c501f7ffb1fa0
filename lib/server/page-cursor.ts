import { AppError } from '@/lib/base/app-error';
import { parseJson } from '@/lib/base/json';

/** The last row of a page, after which the next page begins. Rows are sorted by a time, then by id. */
export interface PagePlace {
  readonly time: Date;
  readonly id: string;
}

/** Writes the place as text for a URL. */
export function cursorOf({ time, id }: PagePlace): string {
  return Buffer.from(JSON.stringify([time.getTime(), id])).toString('base64url');
}

/** Reads a text of `cursorOf`. Throws AppError `bad_request` for any other text. */
export function placeOf(cursor: string): PagePlace {
  const value = parseJson(Buffer.from(cursor, 'base64url').toString());
  const [ms, id]: readonly unknown[] = Array.isArray(value) ? value : [];
  const time = new Date(typeof ms === 'number' ? ms : Number.NaN);
  if (typeof id !== 'string' || id.includes('\0') || Number.isNaN(time.getTime())) {
    throw new AppError('bad_request', 'after: is not a page of this list. Give the "next" of the page before.');
  }
  return { time, id };
}
