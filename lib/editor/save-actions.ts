import type { Folder } from '@/lib/cards/folder';
import { applyEdit, changesBetween, type EditedDocument, type FileChanges, sameFolder } from './document';
import type { ProjectPorts, SaveConflict, SavedVersion, StateStore } from './project-state';
import { rebase } from './rebase';

/** Saves, and resolves the conflict if somebody else saved first. `setDocument` replaces the document and redraws it. */
export function saveActions(
  store: StateStore,
  ports: Pick<ProjectPorts, 'save'>,
  setDocument: (document: EditedDocument) => void,
) {
  /** Saves the changes. Resolves to true if nothing is unsaved afterwards. */
  async function save(): Promise<boolean> {
    const { saved, document, saving } = store.getState();
    if (saving) return false;
    const changes = changesBetween(saved.folder, document.folder);
    if (changes.size === 0) return true;
    store.setState({ saving: true });
    const outcome = await ports.save(saved.version, changes);
    store.setState({ saving: false });
    switch (outcome.kind) {
      case 'saved':
        // Text that was typed during the request stays unsaved.
        setSaved({ version: outcome.version, folder: document.folder });
        store.setState({ notice: undefined });
        return !store.getState().dirty;
      case 'conflict': {
        const rebased = rebase(saved.folder, store.getState().document.folder, outcome.theirs.folder);
        store.setState({ conflict: { message: outcome.message, theirs: outcome.theirs, rebased } });
        return false;
      }
      case 'failed':
        store.setState({ notice: { tone: 'bad', text: outcome.message } });
        return false;
    }
  }

  function adopt(theirs: SavedVersion, folder: Folder, label: string) {
    const { document } = store.getState();
    store.setState({ conflict: undefined });
    setSaved(theirs);
    setDocument(applyEdit(document, changesBetween(document.folder, folder), { label }));
  }

  function setSaved(saved: SavedVersion) {
    store.setState({ saved, dirty: !sameFolder(saved.folder, store.getState().document.folder) });
  }

  return {
    save,
    /** Resolves the conflict: puts my changes on top of their version and saves. */
    async keepMine(): Promise<boolean> {
      const { conflict } = store.getState();
      if (conflict === undefined) return false;
      adopt(conflict.theirs, conflict.rebased.folder, 'Keep my changes');
      return save();
    },
    /** Resolves the conflict: takes their version. Undo brings mine back. */
    takeTheirs() {
      const { conflict } = store.getState();
      if (conflict !== undefined) adopt(conflict.theirs, conflict.theirs.folder, 'Take their version');
    },
    /** Shows a version that was saved elsewhere. Does nothing with unsaved work: the next save will be a conflict. */
    follow(newer: SavedVersion) {
      const { saved, dirty, saving } = store.getState();
      if (dirty || saving || newer.version <= saved.version) return;
      adopt(newer, newer.folder, 'Saved elsewhere');
    },
    /** Restores unsaved work from before a reload. Shows the conflict if it was made on an older version. */
    restoreDraft(draft: { readonly baseVersion: number; readonly changes: FileChanges }) {
      const { saved, document } = store.getState();
      const restored = applyEdit(document, draft.changes, { label: 'Unsaved changes from before' });
      if (restored === document) return;
      setDocument(restored);
      if (draft.baseVersion === saved.version) {
        store.setState({ notice: { tone: 'info', text: 'Your unsaved changes are back. Undo removes them.' } });
        return;
      }
      store.setState({ conflict: draftConflict(saved, restored) });
    },
    dismissConflict() {
      store.setState({ conflict: undefined });
    },
  };
}

/** Returns the conflict of a draft that was made on an older version than the saved one. */
function draftConflict(saved: SavedVersion, restored: EditedDocument): SaveConflict {
  const clashes = [...changesBetween(saved.folder, restored.folder).keys()];
  return {
    message: 'It was saved after you made the changes that this browser kept for you.',
    theirs: saved,
    rebased: { folder: restored.folder, clashes, taken: [] },
  };
}
