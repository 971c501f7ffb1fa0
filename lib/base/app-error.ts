export type AppErrorCode =
  | 'bad_request'
  | 'not_found'
  | 'conflict'
  | 'not_allowed'
  | 'not_trusted'
  | 'too_large'
  | 'unsupported'
  | 'unavailable';

/** An expected failure whose sentence is fit to show. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  /** More for a caller that acts on the code: plain names and values beside `code` and `message`. */
  readonly details: Readonly<Record<string, string>>;
  /**
   * All that Next tells the browser of an error on a page. Set when the error is an outage, so that the page can say so;
   * `unavailableSentence` reads it.
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

/** The sentence of an AppError `unavailable`, from its digest; undefined for the digest of any other error. */
export function unavailableSentence(digest: string | undefined): string | undefined {
  return digest?.startsWith(outagePrefix) ? digest.slice(outagePrefix.length) : undefined;
}
