/** The result of one check. `next` says what to do, and is missing where nothing is to be done. */
export interface Finding {
  readonly name: string;
  /** `fail`: Callboard cannot work like this. `warn`: it works, and something needs attention. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly next?: string;
}
