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

  constructor(code: AppErrorCode, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}
