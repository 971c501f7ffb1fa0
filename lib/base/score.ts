/* What people and programs think of a run, or of one span of it. */

/** The name of a score that names none. */
export const usualScoreName = 'quality';
export const mostScoreNote = 4_000;
/** A run has at most this many scores, those of its spans included. */
export const mostScoresOfRun = 1_000;

/** Filters use these words for every name. */
const reserved: readonly string[] = ['any', 'none'];

export function isScoreName(text: string): boolean {
  return /^[a-z][a-z0-9_.-]{0,39}$/.test(text) && !reserved.includes(text);
}

export const scoreNameRule =
  'A name has 1 to 40 characters: lower-case letters, digits, "_", "." and "-", a letter first. "any" and "none" are no names.';

/** The span that a score is about. */
export interface ScoredSpan {
  /** The event that opened it; null if a later import of the run no longer has it. */
  readonly seq: number | null;
  /** Such as `tool` or `instance`. */
  readonly kind: string;
  /** The path of its instance. */
  readonly path: string | null;
}

export interface Score {
  readonly id: string;
  /** Null: the score is about the whole run. */
  readonly span: ScoredSpan | null;
  readonly name: string;
  /** From 0 to 1. Null for a note alone. */
  readonly value: number | null;
  readonly note: string | null;
  /** A mail address, or `local` without accounts. */
  readonly author: string;
  readonly authorName: string;
  /** In epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What an author says. It has a value, a note, or both. */
export interface NewScore {
  /** The event that opened a span, or `undefined` for the whole run. */
  readonly span?: number | undefined;
  readonly name: string;
  readonly value: number | null;
  readonly note: string | null;
}

/** A score that a program gave with a trace. */
export interface GivenScore {
  /** The same whenever the same record is read. */
  readonly id: string;
  readonly author: string;
  readonly score: NewScore;
}

/** The mean of values, and how many they are. */
export interface ScoreMean {
  readonly mean: number;
  readonly count: number;
}

/** Writes a value as people read it: at most two digits after the point. */
export function formatScore(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Returns the mean of the values of these scores, or `undefined` if none has a value. */
export function meanOf(scores: readonly Score[]): ScoreMean | undefined {
  const values = scores.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return undefined;
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, count: values.length };
}

/** Returns the scores of a span, or of the run itself if none is named. */
export function scoresAbout(scores: readonly Score[], span: number | undefined): readonly Score[] {
  return scores.filter((score) => (span === undefined ? score.span === null : score.span?.seq === span));
}

/**
 * Returns what an author says after a click on a thumb: its value, with the note that was there; or without a value if that thumb was the
 * one already; or `undefined` if nothing is left to say.
 */
export function afterThumb(before: Score | undefined, thumb: 0 | 1): Pick<NewScore, 'value' | 'note'> | undefined {
  const note = before?.note ?? null;
  if (before?.value !== thumb) return { value: thumb, note };
  return note === null ? undefined : { value: null, note };
}
