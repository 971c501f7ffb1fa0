import type { Folder, FolderFile } from '@/lib/cards/folder';
import { applyEdit, changesBetween, type EditedDocument, type FileChanges, sameFolder, withChanges } from './document';
import type { Draft } from './draft';
import type { ProjectPorts, ProjectState, SavedVersion, SaveFault, SaveOutcome, StateStore } from './project-state';
import { acceptSent, draftBase, type Rebased, rebase } from './rebase';
import { rebaseDocument } from './rebase-steps';
import { takenOver } from './taken-over';

/** With more conflicts in a row than this, other windows save faster than this one, and the person is told. */
const mostMerges = 5;
/** What a file becomes that both sides changed: one of the versions, or a text that was edited. */
export type Choice = 'mine' | 'theirs' | FolderFile;

/** So many requests without an answer are remembered. The first that the server got is the one it saved. */
const mostSent = 8;

/**
 * Saves, and resolves conflicts if somebody else saved first. One request is under way at a time. `setDocument` replaces the
 * document and redraws it.
 */
export function saveActions(
  store: StateStore,
  ports: Pick<ProjectPorts, 'save'>,
  setDocument: (document: EditedDocument) => void,
) {
  const results = saveResults(store, setDocument);
  /**
   * Saves what is on screen. A call during a request waits for it, then sends the rest. Resolves to true once the text of the
   * moment of the call is saved.
   */
  const save = oneAtATime(createSend(store, ports, results));
  return { save, ...conflictActions(store, setDocument, results, save) };
}

/** Runs `work` one at a time. Calls during a run share the next one, which begins when the present one has ended. */
function oneAtATime(work: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  let waiting: Promise<boolean> | undefined;

  function start(): Promise<boolean> {
    waiting = undefined;
    const run = work();
    running = run;
    void run.then(() => {
      if (running === run) running = undefined;
    });
    return run;
  }

  return () => {
    if (running === undefined) return start();
    waiting ??= running.then(start);
    return waiting;
  };
}

/** Returns the function that sends one save, and further ones while others only changed other files meanwhile. */
function createSend(
  store: StateStore,
  ports: Pick<ProjectPorts, 'save'>,
  { adopt, savedState, answered, succeed, fail }: SaveResults,
) {
  async function send(merges: number): Promise<boolean> {
    const { saved, document, conflict, brought } = store.getState();
    if (conflict !== undefined) {
      store.setState({ conflict: { ...conflict, asking: true } });
      return false;
    }
    const changes = changesBetween(saved.folder, document.folder);
    if (changes.size === 0) {
      succeed({});
      return true;
    }
    store.setState({ saving: true, sent: [...store.getState().sent, document.folder].slice(0, mostSent) });
    const outcome = await ports.save(saved.version, changes, { brought: brought > 0 });
    switch (outcome.kind) {
      case 'saved':
        // Text that was typed, and what was brought, during the request stays unsaved.
        succeed({
          ...savedState({ version: outcome.version, folder: document.folder }),
          brought: store.getState().brought - brought,
        });
        return true;
      case 'conflict':
        return await merge(outcome, saved.folder, merges);
      case 'failed':
        fail(outcome);
        return false;
    }
  }

  /** Takes over what others changed, and saves again. Asks if both sides changed the same part of a file. */
  async function merge(
    { message, theirs }: SaveOutcome & { readonly kind: 'conflict' },
    saved: Folder,
    merges: number,
  ): Promise<boolean> {
    const { sent, document } = store.getState();
    const base = acceptSent(saved, sent, theirs.folder);
    const rebased = rebase(base, document.folder, theirs.folder);
    if (rebased.clashes.length > 0) {
      store.setState({ ...answered(), saving: false, conflict: { message, base, theirs, asking: true } });
      return false;
    }
    if (merges === 0) {
      fail({ message: 'Others save this project all the time. Your changes are kept here.' });
      return false;
    }
    adopt(theirs, rebased);
    return await send(merges - 1);
  }

  return () => send(mostMerges);
}

type SaveResults = ReturnType<typeof saveResults>;

export interface FollowOptions {
  /** True while the person sees others work: then only what touches own changes is told. */
  readonly live?: boolean;
}

/** What the end of a save changes in the state. */
function saveResults(store: StateStore, setDocument: (document: EditedDocument) => void) {
  /** Makes `theirs` the saved version, and puts the document on it, under the steps of undo. */
  function adopt(theirs: SavedVersion, rebased: Rebased, { live = false }: FollowOptions = {}) {
    store.setState({ conflict: undefined });
    const { document } = store.getState();
    store.setState(savedState(theirs));
    if (sameFolder(document.folder, rebased.folder)) return;
    setDocument(rebaseDocument(document, rebased));
    store.setState({ adopted: store.getState().adopted + 1 });
    const text = takenOver(live ? { ...rebased, taken: [] } : rebased, theirs.by);
    if (text !== undefined) store.setState({ notice: { tone: 'info', text } });
  }

  function savedState(saved: SavedVersion): Pick<ProjectState, 'saved' | 'dirty'> {
    return { saved, dirty: !sameFolder(saved.folder, store.getState().document.folder) };
  }

  /** What an answer of the server ends: the fault of the save before. */
  function answered(): Pick<ProjectState, 'saveFault'> & Partial<ProjectState> {
    const { saveFault, notice } = store.getState();
    // Only the sentence of the failed save goes; others were about something else.
    const told = saveFault !== undefined && notice?.text === saveFault.message;
    return { saveFault: undefined, ...(told ? { notice: undefined } : {}) };
  }

  function succeed(part: Partial<ProjectState>) {
    store.setState({ ...part, ...answered(), saving: false, sent: [] });
  }

  function fail({ message, lasting = false }: SaveFault) {
    // A retry that fails for the same reason does not show a dismissed sentence again.
    const isKnown = store.getState().saveFault?.message === message;
    const notice = isKnown ? {} : ({ notice: { tone: 'bad', text: message } } as const);
    store.setState({ saving: false, saveFault: { message, lasting }, ...notice });
  }

  return { adopt, savedState, answered, succeed, fail };
}

/** Takes versions that others saved, and work from before a reload, and decides conflicts with them. */
function conflictActions(
  store: StateStore,
  setDocument: (document: EditedDocument) => void,
  { adopt }: SaveResults,
  save: () => Promise<boolean>,
) {
  return {
    /**
     * Resolves the conflict and saves. Each file that needs a person becomes as it was chosen; one without a choice stays as
     * it is here. Undo shows the versions that were not kept.
     */
    async resolveConflict(choices: ReadonlyMap<string, Choice>): Promise<boolean> {
      const { conflict, document } = store.getState();
      if (conflict === undefined) return false;
      const rebased = rebase(conflict.base, document.folder, conflict.theirs.folder);
      adopt(conflict.theirs, rebased);
      const { mine, theirs } = rebased.sides;
      const kept = rebased.clashes.map((path) => [path, choices.get(path) ?? 'mine'] as const);
      // The step to their version comes first, so that undo reaches it whatever was chosen.
      const steps: readonly (readonly [label: string, changes: FileChanges])[] = [
        ['Take their version', filesOf(theirs, rebased.clashes)],
        ['Keep my version', filesOf(mine, pathsOf(kept, 'mine'))],
        ['Edit the merged text', new Map(kept.flatMap(([path, to]) => (typeof to === 'object' ? [[path, to]] : [])))],
      ];
      for (const [label, changes] of steps) {
        setDocument(applyEdit(store.getState().document, changes, { label }));
      }
      return await save();
    },
    /** Puts the question aside. Nothing is saved until it is answered. */
    dismissConflict() {
      const { conflict } = store.getState();
      if (conflict !== undefined) store.setState({ conflict: { ...conflict, asking: false } });
    },
    /**
     * Shows a version that was saved elsewhere. Does nothing if both sides changed the same file: the next save asks about
     * that.
     */
    follow(newer: SavedVersion, options: FollowOptions = {}) {
      const { saved, document, saving, conflict } = store.getState();
      if (saving || conflict !== undefined || newer.version <= saved.version) return;
      const rebased = rebase(saved.folder, document.folder, newer.folder);
      if (rebased.clashes.length === 0) adopt(newer, rebased, options);
    },
    /**
     * Restores unsaved work from before a reload. Asks if it was made on an older version and both sides changed the same
     * file.
     */
    restoreDraft(draft: Draft) {
      const { saved, document } = store.getState();
      const base = draftBase(draft, saved);
      const mine = withChanges(document.folder, draft.changes);
      const { clashes } = rebase(base, mine, saved.folder);
      const restored = applyEdit(document, draft.changes, { label: 'Unsaved changes from before' });
      if (restored !== document) {
        setDocument(restored);
        // Whether any of it came from elsewhere is not kept.
        store.setState({ brought: store.getState().brought + 1 });
        store.setState({ notice: { tone: 'info', text: 'Your unsaved changes are back. Undo removes them.' } });
      }
      if (clashes.length === 0) return;
      const message = 'It was saved after you made the changes that this browser kept for you.';
      store.setState({ notice: undefined, conflict: { message, base, theirs: saved, asking: true } });
    },
  };
}

function filesOf(folder: Folder, paths: readonly string[]): FileChanges {
  return new Map(paths.map((path) => [path, folder.get(path)]));
}

function pathsOf(kept: readonly (readonly [path: string, choice: Choice])[], choice: Choice): readonly string[] {
  return kept.flatMap(([path, made]) => (made === choice ? [path] : []));
}
