import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PartKind, PartUses } from '@/lib/base/uses';

export interface AskedPart {
  readonly kind: PartKind;
  readonly name: string;
}

/** A change that waits for the person, who is shown what else uses the part. */
export interface GuardedChange {
  /** `Delete writer`, `Rename writer`. */
  readonly label: string;
  readonly sentences: readonly string[];
  readonly apply: () => void;
}

export interface PartUsesState {
  /** What is known, by `partKey`. */
  readonly known: ReadonlyMap<string, PartUses>;
  readonly asked: GuardedChange | undefined;
}

export type PartUsesSession = ReturnType<typeof createPartUses>;

/** Whoever walks through the graph asks nothing. */
const pauseMs = 300;
const mostKnown = 200;

export function partKey({ kind, name }: AskedPart): string {
  return `${kind} ${name}`;
}

/**
 * Remembers where parts are used, and lets a person think again before a part that others need is deleted or renamed. `read` resolves to
 * `undefined` if it is not known now.
 */
export function createPartUses(read: (part: AskedPart) => Promise<PartUses | undefined>) {
  const store: StoreApi<PartUsesState> = createStore(() => ({ known: new Map(), asked: undefined }));
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(part: AskedPart) {
    const uses = await read(part);
    if (uses === undefined) return;
    const rest = [...store.getState().known].filter(([key]) => key !== partKey(part)).slice(-mostKnown);
    store.setState({ known: new Map([...rest, [partKey(part), uses]]) });
  }

  const actions = {
    /** Looks where a part is used, unless another one is asked about at once. */
    look(part: AskedPart) {
      clearTimeout(timer);
      timer = setTimeout(() => void load(part), pauseMs);
    },
    /** Applies a change, or asks first if tests, approvals or other projects need one of the parts. */
    guard(label: string, parts: readonly AskedPart[], apply: () => void) {
      const { known } = store.getState();
      const sentences = parts.flatMap((part) => {
        const uses = known.get(partKey(part));
        return uses === undefined ? [] : sentencesAbout(part, uses);
      });
      if (sentences.length === 0) apply();
      else store.setState({ asked: { label, sentences, apply } });
    },
    /** Ends the question. */
    answer(isWanted: boolean) {
      const { asked } = store.getState();
      store.setState({ asked: undefined });
      if (isWanted) asked?.apply();
    },
  };
  return { store, actions };
}

/** Says what a change of a part breaks that the editor does not change along. */
export function sentencesAbout({ kind, name }: AskedPart, { uses, grants }: PartUses): readonly string[] {
  const tests = [...new Set(uses.filter(({ isOwn }) => isOwn).flatMap((use) => use.tests))];
  const others = [...new Set(uses.filter(({ isOwn }) => !isOwn).map(({ projectName }) => projectName))];
  const what = `${kind} '${name}'`;
  return [
    ...(tests.length > 0
      ? [`${listed(tests)}: ${tests.length === 1 ? 'a test that needs' : 'tests that need'} ${what}.`]
      : []),
    ...(grants > 0
      ? [`${grants === 1 ? 'One remembered approval is' : `${grants} remembered approvals are`} about ${what}.`]
      : []),
    ...(others.length > 0 ? [`The same ${kind} is in ${listed(others)}, which this does not change.`] : []),
  ];
}

const mostNames = 4;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
