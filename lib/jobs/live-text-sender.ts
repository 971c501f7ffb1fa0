import type { Clock } from '@/lib/base/clock';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { endedTextStep } from '@/lib/runtime/record/step-key';
import { type LiveEnd, liveTextMessages } from '@/lib/store/live-text-messages';
import { LiveCursor, LiveTexts } from '@/lib/trace/live-texts';

/** A run's texts are sent at most this often. */
const sendMs = 50;
/** A web process asks again before this time is over. After it, nothing is sent. */
const leaseMs = 15_000;
/** At most this many UTF-16 units of one run are sent at once. */
const unitsAtOnce = 65_536;
/** Requests for more runs than this are not remembered. */
const mostWatched = 10_000;

/** Collects what the models of one run say. Its methods cost little while nobody reads. */
export interface RunTextSender {
  /** Takes text that is already redacted. */
  add(delta: ModelDelta): void;
  /** Takes each event of the run, because the end of a call ends its text. */
  note(event: RunEvent): void;
  close(): void;
}

interface Sender {
  readonly runId: RunId;
  readonly epoch: number;
  readonly texts: LiveTexts;
  cursor: LiveCursor;
  ends: LiveEnd[];
}

/**
 * Sends what models say to the web processes that have readers of a run, and keeps it for those that come later. One
 * statement at a time is under way for the whole worker. While it takes long, texts collect, and what grows too long loses
 * its beginning.
 */
export class LiveTextSender {
  private readonly closing = new AbortController();
  private readonly senders = new Map<RunId, Sender>();
  /** The time until which a run has readers. */
  private readonly watched = new Map<RunId, number>();
  private readonly dirty = new Set<Sender>();
  private isSending = false;

  /** `send` may reject: then the texts are lost. */
  constructor(
    private readonly clock: Clock,
    private readonly send: (messages: readonly string[]) => Promise<void>,
  ) {}

  open(runId: RunId, epoch: number): RunTextSender {
    const sender: Sender = { runId, epoch, texts: new LiveTexts(), cursor: new LiveCursor(), ends: [] };
    this.senders.set(runId, sender);
    return {
      add: (delta) => {
        sender.texts.add(delta);
        this.touch(sender);
      },
      note: (event) => {
        const step = endedTextStep(event);
        if (step === undefined || !sender.texts.end(step) || !this.isWatched(runId)) return;
        sender.ends.push({ end: step });
        this.touch(sender);
      },
      close: () => {
        if (this.senders.get(runId) === sender) this.senders.delete(runId);
        this.dirty.delete(sender);
      },
    };
  }

  /** Takes a request of a web process: `<run id>`, or `<run id>:all` for the text so far too. */
  watch(request: string): void {
    const [id = '', extent] = request.split(':');
    const runId = brandAs<RunId>(id);
    const now = this.clock.now();
    if (this.watched.size >= mostWatched) {
      for (const [each, until] of this.watched) if (until <= now) this.watched.delete(each);
    }
    // The run may be taken later, so the request is remembered.
    if (this.watched.size < mostWatched || this.watched.has(runId)) this.watched.set(runId, now + leaseMs);
    const sender = this.senders.get(runId);
    if (sender === undefined) return;
    if (extent === 'all') sender.cursor = new LiveCursor();
    if (!sender.texts.isEmpty) this.touch(sender);
  }

  close(): void {
    this.closing.abort();
    this.senders.clear();
    this.dirty.clear();
  }

  private touch(sender: Sender): void {
    if (!this.isWatched(sender.runId)) return;
    this.dirty.add(sender);
    if (!this.isSending) void this.sendUntilClean();
  }

  /** True if a web process has readers of the run's events. */
  isWatched(runId: RunId): boolean {
    if (this.watched.size === 0) return false;
    const until = this.watched.get(runId);
    if (until === undefined) return false;
    if (until > this.clock.now()) return true;
    this.watched.delete(runId);
    return false;
  }

  private async sendUntilClean(): Promise<void> {
    const { signal } = this.closing;
    this.isSending = true;
    while (this.dirty.size > 0 && !signal.aborted) {
      await this.clock.sleep(sendMs, signal);
      const messages = this.takeAll();
      if (messages.length > 0 && !signal.aborted) await this.send(messages).catch(() => undefined);
    }
    this.isSending = false;
  }

  private takeAll(): readonly string[] {
    const messages: string[] = [];
    for (const sender of [...this.dirty]) {
      this.dirty.delete(sender);
      const { pieces, isMore } = sender.texts.take(sender.cursor, unitsAtOnce);
      const { ends } = sender;
      sender.ends = [];
      messages.push(...liveTextMessages(sender.runId, sender.epoch, [...pieces, ...ends]));
      if (isMore) this.dirty.add(sender);
    }
    return messages;
  }
}
