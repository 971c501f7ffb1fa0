export type AppErrorCode =
  | 'bad_request'
  | 'not_signed_in'
  | 'not_found'
  | 'conflict'
  | 'not_allowed'
  | 'not_trusted'
  | 'not_approved'
  | 'too_large'
  | 'too_many'
  | 'over_budget'
  | 'unsupported'
  | 'unavailable';

/** An expected failure, with a sentence that users may see. Any other thrown error is a bug. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  /** Names and values for a caller that handles this `code`. */
  readonly details: Readonly<Record<string, string>>;
  /**
   * The only part of a page's error that Next sends to the browser. It is set for an outage, so that the page can report
   * it. `unavailableSentence` reads it.
   */
  readonly digest?: string;

  constructor(code: AppErrorCode, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    if (code === 'unavailable') this.digest = `${outagePrefix}${message}`;
  }
}

const outagePrefix = 'unavailable: ';

/** Returns the sentence of an AppError `unavailable` from its digest, and `undefined` for the digest of any other error. */
export function unavailableSentence(digest: string | undefined): string | undefined {
  return digest?.startsWith(outagePrefix) ? digest.slice(outagePrefix.length) : undefined;
}
