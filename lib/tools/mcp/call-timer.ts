/** The longest time that a timer takes. */
const foreverMs = 2_147_483_647;

/** Passed to the SDK as the time limit of a request whose time is limited by a `CallTimer`. */
export const noTimeLimitMs = foreverMs;

/**
 * Limits the time of a call, and stands still while people are asked.
 *
 *   call ──── asks ····· answered ──── asks ····· answered ──── end
 *   counted   2 s                      3 s                      …
 */
export class CallTimer {
  private left: number;
  private since = 0;
  private pauses = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ms: number,
    private readonly onEnd: () => void,
  ) {
    this.left = ms;
    this.go();
  }

  /** Begins anew, because the call has made progress. */
  restart(): void {
    this.left = this.ms;
    if (this.pauses > 0) return;
    clearTimeout(this.timer);
    this.go();
  }

  pause(): void {
    this.pauses += 1;
    if (this.pauses > 1) return;
    clearTimeout(this.timer);
    this.left = Math.max(0, this.left - (performance.now() - this.since));
  }

  goOn(): void {
    this.pauses -= 1;
    if (this.pauses === 0) this.go();
  }

  /** After this it neither ends nor goes on. */
  stop(): void {
    this.pauses = Number.POSITIVE_INFINITY;
    clearTimeout(this.timer);
  }

  private go(): void {
    this.since = performance.now();
    this.timer = setTimeout(this.onEnd, Math.min(this.left, foreverMs));
  }
}
