/** What a caller says of a run, so that it is found again. Callboard does nothing with it. */
export interface RunMarks {
  /** For whom the run works: an id or a name of the caller's own. It is no account of Callboard. */
  readonly user?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export const markLimits = { user: 200, tags: 50, tag: 100, keys: 50, key: 64, value: 500 } as const;

/** Returns only the marks of something that has them, and none that are empty. */
export function marksOf({ user, tags, metadata }: RunMarks): RunMarks {
  return {
    ...(user !== undefined && { user }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
    ...(metadata !== undefined && Object.keys(metadata).length > 0 && { metadata }),
  };
}
