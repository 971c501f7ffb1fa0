import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Presence, PresencePlace, PresentWindow } from '@/lib/base/presence';
import { holderOf, keyWords } from './soft-locks';

/** A place that changes is told after this pause, so that a walk through the graph is one message. */
const pauseMs = 300;
/** A window says so often that it is still there. It must be well below the lease of the server. */
const beatMs = 8_000;
/** Whoever has not typed for so long does not hold a field any more. */
const idleMs = 30_000;

export interface PresenceState {
  /** The other windows that have the project open. */
  readonly others: readonly PresentWindow[];
  /** Those of them that edit the same draft. Only they can hold a field of this window. */
  readonly beside: readonly PresentWindow[];
  /** The field that this window edits. */
  readonly editing: string | undefined;
}

export interface PresencePorts {
  /** Says where this window is. Never rejects. */
  say(presence: Presence): Promise<void>;
  /** Says that this window has gone. Never rejects. */
  leave(window: string): Promise<void>;
  /** Runs `onPresent` now and at each change, until the returned function is called. */
  watch(onPresent: (present: { people: readonly PresentWindow[]; version: number | undefined }) => void): () => void;
  /** Called when another window has saved this version of the draft. */
  onVersion(version: number): void;
  /** Called with a sentence when somebody took the field that this window was editing. */
  onTaken(text: string): void;
}

/** What the editor asks of the server to be seen and to see others. */
export type PresenceServices = Pick<PresencePorts, 'say' | 'leave' | 'watch'>;

export type PresenceSession = ReturnType<typeof createPresence>;

type Place = Omit<PresencePlace, 'editing' | 'taken'>;

/**
 * Says where this window is, and hears where others are. It says so when the place changes and some times a minute while the page is
 * looked at. A page that is hidden says that it has gone, and holds no connection. It is
 * longer than 80 lines because all of it shares the state of one window.
 */
export function createPresence(
  window: { readonly id: string; readonly draft: string },
  ports: PresencePorts,
  first: Place,
) {
  const store: StoreApi<PresenceState> = createStore(() => ({ others: [], beside: [], editing: undefined }));
  let place: Place = first;
  let isTaken = false;
  /** True once the server has told others that this window edits the field. */
  let isKnown = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  let unwatch: (() => void) | undefined;

  const sharesDraft = ({ draft }: PresentWindow) => draft === window.draft;

  function sayNow() {
    clearTimeout(timer);
    timer = undefined;
    if (unwatch === undefined) return;
    const { editing } = store.getState();
    const field = editing === undefined ? {} : { editing, ...(isTaken && { taken: true }) };
    void ports.say({ window: window.id, draft: window.draft, place: { ...place, ...field } });
  }

  function saySoon() {
    timer ??= setTimeout(sayNow, pauseMs);
  }

  function hear(present: { readonly people: readonly PresentWindow[]; readonly version: number | undefined }) {
    const isOwn = (one: PresentWindow) => one.you && one.id === window.id;
    const others = present.people.filter((one) => !isOwn(one));
    const own = present.people.find(isOwn);
    store.setState({ others, beside: others.filter(sharesDraft) });
    if (present.version !== undefined) ports.onVersion(present.version);
    const { editing } = store.getState();
    isKnown = editing !== undefined && own?.editing === editing && own.taken === (isTaken ? true : undefined);
    if (editing === undefined || own === undefined || !isKnown) return;
    const holder = holderOf(present.people.filter(sharesDraft), editing);
    if (holder === undefined || isOwn(holder)) return;
    stopEditing();
    if (holder.taken) ports.onTaken(`${nameOf(holder)} took over ${keyWords(editing)}. What you wrote is kept.`);
  }

  function stopEditing() {
    clearTimeout(idle);
    isTaken = false;
    isKnown = false;
    store.setState({ editing: undefined });
    saySoon();
  }

  function holdOn() {
    clearTimeout(idle);
    idle = setTimeout(stopEditing, idleMs);
  }

  const actions = {
    /** Begins to listen and to say where this window is. */
    come() {
      if (unwatch !== undefined) return;
      unwatch = ports.watch(hear);
      beat = setInterval(sayNow, beatMs);
      sayNow();
    },
    /** Says that this window has gone, and stops listening. */
    go() {
      if (unwatch === undefined) return;
      unwatch();
      unwatch = undefined;
      clearInterval(beat);
      clearTimeout(timer);
      clearTimeout(idle);
      timer = undefined;
      store.setState({ others: [], beside: [], editing: undefined });
      void ports.leave(window.id);
    },
    /** Changes where this window is. */
    move(next: Place) {
      place = next;
      saySoon();
    },
    /** Says that a field was typed into, unless somebody else has it. `undefined` ends that, and so does a pause. */
    edit(key: string | undefined) {
      const { editing, beside } = store.getState();
      if (key === undefined) {
        if (editing !== undefined) stopEditing();
        return;
      }
      if (key === editing) return holdOn();
      if (holderOf(beside, key) !== undefined) return;
      holdOn();
      isTaken = false;
      isKnown = false;
      store.setState({ editing: key });
      saySoon();
    },
    /** Takes a field from whoever edits it, and tells them. */
    take(key: string) {
      holdOn();
      isTaken = true;
      isKnown = false;
      store.setState({ editing: key });
      sayNow();
    },
  };
  return { store, actions };
}

/** Returns who has a field that this window may not edit now. */
export function lockOn({ beside, editing }: PresenceState, key: string): PresentWindow | undefined {
  return editing === key ? undefined : holderOf(beside, key);
}

/** Names a window at the beginning of a sentence. */
export function nameOf({ name, you }: Pick<PresentWindow, 'name' | 'you'>): string {
  if (you || name === undefined) return you && name !== undefined ? 'You, in another window,' : 'Another window';
  return name;
}
