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
   * The only part of a page's error that Next sends to the browser. It is set where people can wait or change something, so that the page
   * can say what. `toldSentence` reads it.
   */
  readonly digest?: string;

  constructor(code: AppErrorCode, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    if (isTold(code)) this.digest = `${code}: ${message}`;
  }
}

const toldCodes = ['unavailable', 'too_large', 'too_many'] as const;
type ToldCode = (typeof toldCodes)[number];

function isTold(code: AppErrorCode): code is ToldCode {
  return toldCodes.some((told) => told === code);
}

/** Returns code and sentence of an AppError from its digest, and `undefined` for the digest of an error that no page tells. */
export function toldSentence(digest = ''): { readonly code: ToldCode; readonly sentence: string } | undefined {
  const code = toldCodes.find((told) => digest.startsWith(`${told}: `));
  return code && { code, sentence: digest.slice(code.length + 2) };
}
