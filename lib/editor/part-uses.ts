import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AskedPart, PartUses } from '@/lib/base/uses';
import { partWords, reasonsAbout } from './uses-words';

/** A change that waits for the person, who is shown what else uses the parts. */
export interface GuardedChange {
  /** `Delete writer`, `Rename writer`. */
  readonly label: string;
  /** True while it is read where the parts are used. The person may go on without waiting. */
  readonly isReading: boolean;
  /** True if the question did not come at once. The person may do something else by then, so it must not take the focus. */
  readonly isLate: boolean;
  readonly sentences: readonly string[];
  readonly apply: () => void;
}

export interface KnownUses {
  readonly uses: PartUses;
  /** The saved version of the draft when they were read. */
  readonly version: number;
}

export interface PartUsesState {
  /** What is known, by `partKey`. */
  readonly known: ReadonlyMap<string, KnownUses>;
  /** Parts whose uses could not be read when last asked, by `partKey`. */
  readonly failed: ReadonlySet<string>;
  readonly asked: GuardedChange | undefined;
}

export type PartUsesSession = ReturnType<typeof createPartUses>;

/** The draft that the parts are in. */
export interface UsesDraft {
  readonly name: string;
  /** Returns the saved version, so that what was read before a save is not taken for what is true now. */
  readonly version: () => number;
}

/** Resolves to `undefined` if it cannot be read now. Does not reject. */
type ReadUses = (part: AskedPart) => Promise<PartUses | undefined>;

/** What a change does to its parts. */
export interface ChangeOptions {
  /** Equal for the same change, so that a key that is held down asks once; the label by default. */
  readonly key?: string;
  /** True if the parts themselves go. Then it is a reason to ask that other projects have the same. */
  readonly isDeletion?: boolean;
}

interface Change extends Pick<GuardedChange, 'label' | 'apply'>, Required<ChangeOptions> {
  readonly parts: readonly AskedPart[];
}

/** Whoever walks through the graph asks nothing. */
const pauseMs = 300;
/** An answer that comes sooner shows no question that goes by itself. */
const quickMs = 250;
const mostKnown = 200;
/** So many parts are asked about for one change. */
const mostParts = 24;
/** So many sentences are shown of one change. */
const mostSentences = 12;

export function partKey({ kind, name }: AskedPart): string {
  return `${kind} ${name}`;
}

/**
 * Remembers where parts are used, and lets a person think again before a part that others need is deleted or renamed. Without `read` nothing is
 * known and nobody is asked. It is longer than 80 lines because all of it shares the changes that wait.
 */
export function createPartUses(read: ReadUses | undefined, draft: UsesDraft) {
  const store: StoreApi<PartUsesState> = createStore(() => ({ known: new Map(), failed: new Set(), asked: undefined }));
  /** Changes in the order of the gestures. The first one is read or asked about. */
  let waiting: readonly Change[] = [];

  async function load(part: AskedPart): Promise<void> {
    const [key, version] = [partKey(part), draft.version()];
    const uses = await read?.(part);
    const { known, failed } = store.getState();
    const others = [...failed].filter((one) => one !== key);
    if (uses === undefined) {
      store.setState({ failed: new Set([...others, key]) });
      return;
    }
    const rest = [...known].filter(([one]) => one !== key).slice(-mostKnown);
    store.setState({ known: new Map([...rest, [key, { uses, version }]]), failed: new Set(others) });
  }

  const isFresh = (part: AskedPart) => {
    const { known, failed } = store.getState();
    return !failed.has(partKey(part)) && known.get(partKey(part))?.version === draft.version();
  };

  /** Reads what is not known of the first change, then applies it or asks. */
  async function next(): Promise<void> {
    const [change] = waiting;
    if (change === undefined) return;
    const { label, parts, apply } = change;
    const slow = setTimeout(() => {
      store.setState({ asked: { label, isReading: true, isLate: true, sentences: [], apply } });
    }, quickMs);
    const asked = parts.slice(0, mostParts);
    await Promise.all(asked.filter((part) => !isFresh(part)).map(load));
    clearTimeout(slow);
    // The person may have gone on without waiting.
    if (waiting[0] === change) decide(change);
  }

  /** Asks about the first change, or applies it if nothing needs its parts. */
  function decide(change: Change): void {
    const { label, parts, apply } = change;
    const { known, failed } = store.getState();
    const unread = parts.filter((part) => failed.has(partKey(part)));
    const sentences = sentencesOf(change, known, unread, draft.name);
    const isLate = store.getState().asked !== undefined;
    if (sentences.length > 0) store.setState({ asked: { label, isReading: false, isLate, sentences, apply } });
    else end(true);
  }

  /** Ends the first change, and goes on with the one after. */
  function end(isWanted: boolean): void {
    const [change, ...rest] = waiting;
    waiting = rest;
    store.setState({ asked: undefined });
    if (isWanted) change?.apply();
    void next();
  }

  const actions = {
    /** Looks where a part is used, after a pause. Returns a function that cancels it during the pause. */
    look(part: AskedPart): () => void {
      const timer = setTimeout(() => void load(part), pauseMs);
      return () => clearTimeout(timer);
    },
    /** Looks again after it could not be read. */
    lookAgain(part: AskedPart): void {
      store.setState(({ failed }) => ({ failed: new Set([...failed].filter((key) => key !== partKey(part))) }));
      void load(part);
    },
    /**
     * Applies a change, or asks first if something else needs one of the parts. Reads where they are used if that is not known, so the change may
     * be applied later: at once only if all is known and nothing needs them.
     */
    guard(label: string, parts: readonly AskedPart[], apply: () => void, options: ChangeOptions = {}): void {
      if (read === undefined || parts.length === 0) {
        apply();
        return;
      }
      const change = { label, parts, apply, key: label, isDeletion: false, ...options };
      if (waiting.some(({ key }) => key === change.key)) return;
      waiting = [...waiting, change];
      if (waiting.length > 1) return;
      if (parts.slice(0, mostParts).every(isFresh)) decide(change);
      else void next();
    },
    /** Ends the question, also while it is still read where the parts are used. */
    answer(isWanted: boolean): void {
      if (store.getState().asked !== undefined) end(isWanted);
    },
  };
  return { store, actions };
}

/** Returns what is said before a change. Empty if nothing needs the parts. */
function sentencesOf(
  { parts, isDeletion }: Change,
  known: PartUsesState['known'],
  unread: readonly AskedPart[],
  draft: string,
): readonly string[] {
  const about = parts.flatMap((part) => {
    const uses = known.get(partKey(part))?.uses;
    if (uses === undefined || unread.includes(part)) return [];
    const { reasons: needs, copies, notes } = reasonsAbout(part, uses, draft);
    return [isDeletion ? { reasons: [...needs, ...copies], notes } : { reasons: needs, notes: [...copies, ...notes] }];
  });
  const reasons = about.flatMap((one) => one.reasons);
  const [first] = unread;
  const unknown =
    first === undefined
      ? []
      : [
          `Where ${unread.length === 1 ? partWords(first) : `${unread.length} parts`} may be used could not be read now.`,
        ];
  if (reasons.length === 0 && unknown.length === 0) return [];
  const all = [...reasons, ...about.flatMap(({ reasons: own, notes }) => (own.length > 0 ? notes : []))];
  const rest = all.length - mostSentences;
  const left = parts.length - mostParts;
  return [
    ...all.slice(0, mostSentences),
    ...(rest > 0 ? [`And ${rest} more uses.`] : []),
    ...unknown,
    ...(left > 0 ? [`${left} further parts were not looked into.`] : []),
  ];
}
