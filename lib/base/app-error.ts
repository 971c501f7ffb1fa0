export type AppErrorCode =
  | 'bad_request'
  | 'not_found'
  | 'conflict'
  | 'not_allowed'
  | 'too_large'
  | 'unsupported'
  | 'unavailable';

/** An expected failure whose sentence is fit to show. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: AppErrorCode;

  constructor(code: AppErrorCode, message: string) {
    super(message);
    this.name = 'AppError';
    this.code = code;
  }
}
