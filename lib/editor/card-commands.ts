import type { Json } from '@/lib/base/json';
import { ok } from '@/lib/base/result';
import { setDefaultModel } from '@/lib/cards/edit/default-model';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { type CardEdit, editCard } from '@/lib/cards/edit/edit';
import { setOwnAddress, type WrittenAddress } from '@/lib/cards/edit/own-address';
import { settingsName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { type Command, setDelegation } from '@/lib/graph/commands';
import { textAt } from './document';
import type { Editing } from './editing';

type Path = readonly (string | number)[];

/** Edits of one file. */
export interface FileEdits {
  readonly file: string;
  readonly edits: readonly YamlEdit[];
}

/** Commands for the fields of a card, its instruction, the options of an edge, and the default model of all cards. */
export function cardCommands({ folder, drawn, applyOne, applyTyped }: Editing) {
  function cardEdit(file: string, edit: CardEdit): Command {
    const edited = editCard(textAt(folder(), file) ?? '', file, edit);
    return edited.ok ? ok(new Map([[file, edited.value]])) : edited;
  }

  return {
    /**
     * Changes fields of a card, or of `callboard.yaml`, which is created with the first one. `typed` is for text that a
     * person types: the picture follows a frame later, and a word is one undo step.
     */
    editFields(
      file: string,
      edits: readonly YamlEdit[],
      options: { readonly label: string; readonly typed?: boolean },
    ) {
      const [first] = edits;
      if (first === undefined) return;
      const changes = fieldEdits(folder(), file, edits);
      const { label } = options;
      if (options.typed) applyTyped(changes, { label, burst: `field:${file}:${first.path.join('.')}` });
      else applyOne(changes, { label });
    },
    /** Changes fields of several files as one undo step. */
    editFiles(files: readonly FileEdits[], options: { readonly label: string; readonly typed?: boolean }) {
      const [first] = files;
      if (first === undefined) return;
      const changes = new Map<string, string | null>();
      for (const { file, edits } of files) {
        const edited = fieldEdits(folder(), file, edits);
        if (!edited.ok) return void applyOne(edited, options);
        for (const [path, text] of edited.value) changes.set(path, text);
      }
      const { label } = options;
      const burst = `fields:${files.map(({ file }) => file).join()}:${first.edits[0]?.path.join('.')}`;
      if (options.typed) applyTyped(ok(changes), { label, burst });
      else applyOne(ok(changes), { label });
    },
    /** Sets a field of a card. `undefined` removes it. */
    setField(file: string, path: Path, value: Json | undefined, label: string) {
      const edit: CardEdit = value === undefined ? { op: 'remove', path } : { op: 'set', path, value };
      applyTyped(cardEdit(file, edit), { label, burst: `field:${file}:${path.join('.')}` });
    },
    setInstruction(file: string, text: string, name: string) {
      applyTyped(cardEdit(file, { op: 'instruction', text }), {
        label: `Instruction of ${name}`,
        burst: `instruction:${file}`,
      });
    },
    setDefaultModel(model: string | undefined) {
      applyOne(setDefaultModel(folder(), drawn(), model), { label: 'Default model' });
    },
    /** Writes an address of one's own for models, and with it the default model, as one step. Returns false if it was refused. */
    setOwnAddress(written: WrittenAddress): boolean {
      return applyOne(setOwnAddress(folder(), drawn(), written), { label: `Address of ${written.section}` });
    },
    insertName(file: string, path: Path, index: number, name: string) {
      applyOne(cardEdit(file, { op: 'insert', path, index, value: name }), { label: `Add ${name}` });
    },
    removeName(file: string, path: Path, index: number) {
      applyOne(cardEdit(file, { op: 'remove', path: [...path, index] }), { label: 'Remove reference' });
    },
    moveName(file: string, path: Path, from: number, to: number) {
      applyOne(cardEdit(file, { op: 'move', path, from, to }), { label: 'Reorder' });
    },
    setDelegation(parent: string, child: string, key: readonly string[], value: Json | undefined) {
      applyTyped(setDelegation(folder(), drawn(), { parent, child }, key, value), {
        label: `${key.join('.')} of ${parent} → ${child}`,
        burst: `delegation:${parent}:${child}:${key.join('.')}`,
      });
    },
  };
}

/** Returns the new text of a card or of `callboard.yaml`. In the settings, mappings that become empty are removed. */
export function fieldEdits(folder: Folder, file: string, edits: readonly YamlEdit[]): Command {
  const draft = new FolderDraft(folder);
  for (const edit of edits) {
    if (file !== settingsName) draft.card(file, edit);
    // An empty list stays, because it can mean something else than none.
    else if (edit.op === 'remove' && typeof edit.path.at(-1) === 'string') draft.prune(file, edit.path);
    else draft.yaml(file, edit, newSettings);
  }
  return draft.changes();
}

const newSettings = 'version: 1\n';
