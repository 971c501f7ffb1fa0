import type { RequestWatch } from './answer-watch';

type RequestId = string | number;

/** The right answer may follow a wrong one at once. */
const graceMs = 500;

/**
 * Notices requests over a connection that carries all answers (a pipe, or the one stream of HTTP+SSE) whose answer was sent so that nobody can know
 * it: under the id of no request, without an id, or as JSON that cannot be read. Such an answer belongs to one of the requests that were open when it came, so
 * all of these are lost once there are as many such answers as open requests.
 */
export class StrayAnswers implements RequestWatch {
  onLost: (id: RequestId, why: string) => void = () => undefined;
  private readonly open = new Set<RequestId>();
  /** The open requests to which a stray answer may belong. */
  private readonly suspects = new Set<RequestId>();
  private strays = 0;
  /** So many requests were given up, and the server may still answer each of them in such a way. */
  private excused = 0;
  private last = '';
  private timer: NodeJS.Timeout | undefined;
  /** Ids of the SDK are numbers that grow. An answer under an earlier one is late, or came twice. */
  private highest = -1;

  asked(id: RequestId): void {
    this.open.add(id);
    if (typeof id === 'number') this.highest = Math.max(this.highest, id);
  }

  done(id: RequestId): void {
    const wasOpen = this.open.delete(id);
    // A stray answer may have been the answer to this request, or be still to come.
    if (this.suspects.delete(id)) this.strays -= 1;
    else if (wasOpen) this.excused += 1;
    this.lookSoon();
  }

  tookEvent(): void {
    // Such a connection has no events that it could be resumed from.
  }

  answered(id: RequestId | undefined): void {
    const number = Number(id);
    if (id === undefined) this.stray('without an id');
    else if (this.open.has(number)) {
      this.open.delete(number);
      this.suspects.delete(number);
      this.lookSoon();
    } else if (!(number <= this.highest)) this.stray(`under the id ${JSON.stringify(id)}, which no request has`);
  }

  /** Called for an answer that cannot be read or attributed. `how` ends a sentence that begins with `it answered`. */
  stray(how: string): void {
    if (this.excused > 0) {
      this.excused -= 1;
      return;
    }
    if (this.open.size === 0) return;
    for (const id of this.open) this.suspects.add(id);
    this.strays += 1;
    this.last = how;
    this.lookSoon();
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    if (!this.isDecided()) return;
    this.timer = setTimeout(() => {
      if (!this.isDecided()) return;
      const lost = [...this.suspects];
      this.suspects.clear();
      this.strays = 0;
      for (const id of lost) {
        this.open.delete(id);
        this.onLost(id, `it answered ${this.last}`);
      }
    }, graceMs);
  }

  private isDecided(): boolean {
    if (this.suspects.size === 0) this.strays = 0;
    return this.strays > 0 && this.suspects.size <= this.strays;
  }
}
