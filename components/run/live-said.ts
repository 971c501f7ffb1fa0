import type { endedText, LivePart, LivePiece, LiveTexts } from '@/lib/trace/live-texts';
import type { SlimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';

/** What one model call that goes on has said so far. */
export interface Said {
  readonly step: string;
  readonly lane: number;
  /** The span of the model call, or of the instance for a remote agent. */
  readonly span: number;
  readonly parts: readonly LivePart[];
}

const nothing: readonly Said[] = [];

/** What keeps the texts. Its code is loaded with the stream, because a finished run has none. */
export interface TextKeeper {
  readonly texts: LiveTexts;
  readonly endedText: typeof endedText;
}

/** What models of a run say while they say it. The feed fills it, and tells listeners. */
export class LiveSaid {
  private keeper: TextKeeper | undefined;
  private readonly listeners = new Set<() => void>();
  private version = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getVersion = (): number => this.version;

  /** Keeps what comes from here on. */
  keepIn(keeper: TextKeeper): void {
    this.keeper ??= keeper;
  }

  put(pieces: readonly LivePiece[]): void {
    for (const piece of pieces) this.keeper?.texts.put(piece);
  }

  /** Forgets the text of a call that an event has ended. A resumed run asks its models again. */
  note(event: SlimEvent): void {
    const { keeper } = this;
    if (keeper === undefined || keeper.texts.isEmpty) return;
    const ended = keeper.endedText(event);
    if (ended === undefined) return;
    if (ended === 'all') keeper.texts.clear();
    else if (!keeper.texts.end(ended.step)) return;
    this.changed();
  }

  changed(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  /** Returns the calls that go on in the trace. A text may arrive before the start of its call: it waits for it. */
  now(trace: Trace): readonly Said[] {
    const texts = this.keeper?.texts;
    if (texts === undefined || texts.isEmpty) return nothing;
    const found: Said[] = [];
    for (const [step, parts] of texts.calls()) {
      const [first] = parts.values();
      const span = trace.steps.get(step) ?? (first && spanOfRemote(trace, step, first.path));
      if (span === undefined || trace.spans.statusOf(span) !== 'open') continue;
      found.push({ step, span, lane: trace.spans.lane.at(span), parts: [...parts.values()] });
    }
    return found;
  }
}

/** The text of a remote agent has no model call: it belongs to the instance. */
function spanOfRemote(trace: Trace, step: string, path: string): number | undefined {
  if (step !== `${path}#d1`) return undefined;
  return trace.lanes[trace.laneByPath.get(path) ?? -1]?.span;
}

/** Says nothing: the run at an earlier moment. */
export const silence = new LiveSaid();
