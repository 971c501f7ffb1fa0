import type { Json } from '@/lib/base/json';
import { err, ok } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import { addFunction } from '@/lib/cards/edit/new-function';
import { type ChainEntry, type HookPhase, hookChain } from '@/lib/graph/hook-chain';
import type { HookCode, HookCommand, NewHook } from '@/lib/graph/hook-edit';
import {
  addHook,
  copyHook,
  type HookPlace,
  moveHook,
  moveHookToRun,
  removeHook,
  setHookCode,
  setHookOff,
  setHookParameters,
  setHookPhase,
  setHookPolicy,
} from '@/lib/graph/hook-edits';
import { hookPlace } from '@/lib/graph/hook-place';
import { fileChanges } from './compose';
import { withChanges } from './document';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';
import { withRoom } from './room-for-hooks';

/**
 * Commands for the hook chain of an agent, named by the file of its card and the id of the entry. Those that add or move an
 * entry return its new id, so that the focus can follow it, and `undefined` if nothing was changed.
 */
export function hookCommands(editing: Editing, actions: ProjectStore['actions']) {
  const chains = chainEditing(editing, actions);
  return { ...orderCommands(editing, chains), ...entryCommands(editing, actions, chains) };
}

type ChainEditing = ReturnType<typeof chainEditing>;

/** Finds entries of chains, and applies what is done to them. */
function chainEditing(editing: Editing, actions: ProjectStore['actions']) {
  const { drawn, applyTyped } = editing;

  const cardAt = (file: string): Card | undefined => drawn().cards.find((card) => card.file === file);
  const entryAt = (card: Card, id: string): ChainEntry | undefined =>
    hookChain(card, drawn()).find((entry) => entry.id === id);

  function apply(command: HookCommand | undefined, label: string): string | undefined {
    if (command === undefined) return undefined;
    const texts = command.ok ? ok(command.value.texts) : command;
    if (!editing.apply(withRoom(editing, actions, texts), { label }) || !command.ok) return undefined;
    if (command.value.note !== undefined) actions.notify({ tone: 'info', text: command.value.note });
    return command.value.id;
  }

  /** Applies an edit of one entry. */
  function applyTo(
    file: string,
    id: string,
    labelOf: (entry: ChainEntry) => string,
    edit: (card: Card, entry: ChainEntry) => HookCommand | undefined,
  ): string | undefined {
    const card = cardAt(file);
    const entry = card && entryAt(card, id);
    return card === undefined || entry === undefined ? undefined : apply(edit(card, entry), labelOf(entry));
  }

  /** Does the same for typed values: the picture follows a frame later. */
  function typeIn(file: string, id: string, part: string, edit: (card: Card) => HookCommand): void {
    const card = cardAt(file);
    const entry = card && entryAt(card, id);
    if (card === undefined || entry === undefined) return;
    const command = edit(card);
    const label = `${part} of ${entry.name}`;
    applyTyped(command.ok ? ok(command.value.texts) : command, { label, burst: `hook:${file}:${id}:${part}` });
  }

  return { cardAt, entryAt, apply, applyTo, typeIn };
}

/** Commands that add, move, copy and remove entries. */
function orderCommands({ folder, drawn }: Editing, { cardAt, apply, applyTo }: ChainEditing) {
  return {
    addHook(file: string, hook: NewHook, place: HookPlace): string | undefined {
      const card = cardAt(file);
      const name = hook.kind === 'code' ? hook.functionName : hook.kind;
      return card && apply(addHook(folder(), drawn(), card, hook, place), `Add ${name} to ${card.name}`);
    },
    /** Writes a function that does nothing yet and adds it as a hook. */
    addNewHook(file: string, code: HookCode, place: HookPlace): string | undefined {
      const card = cardAt(file);
      if (card === undefined) return undefined;
      const kind = place.phase === 'around' ? 'hook' : place.phase;
      const written = addFunction(folder(), { file: code.file, name: code.functionName, kind });
      const added = written.ok ? addHook(folder(), drawn(), card, code, place) : err(written.error);
      const both =
        written.ok && added.ok
          ? ok({ ...added.value, texts: new Map([...written.value, ...added.value.texts]) })
          : added;
      return apply(both, `Add ${code.functionName} to ${card.name}`);
    },
    /** Moves a hook to position `to` (from 0) among those that wrap calls. */
    moveHook(file: string, id: string, to: number): string | undefined {
      return applyTo(
        file,
        id,
        ({ name }) => `Move ${name} to place ${to + 1}`,
        (card) => moveHook(folder(), drawn(), card, id, to),
      );
    },
    /** Calls `removed` when it is done, which may be after a question. */
    removeHook(file: string, id: string, removed?: () => void) {
      applyTo(
        file,
        id,
        ({ name }) => `Remove hook ${name}`,
        (card) => removeHook(folder(), drawn(), card, id),
      );
      removed?.();
    },
    copyHook(file: string, id: string, to: string) {
      applyTo(
        file,
        id,
        ({ name }) => `Copy ${name} to ${to}`,
        (card) => {
          const target = drawn().cards.find((other) => other.name === to);
          return target && copyHook(folder(), drawn(), card, id, target);
        },
      );
    },
    /** Lets a hook wrap the calls of every agent. */
    spreadHook(file: string, id: string): string | undefined {
      return applyTo(
        file,
        id,
        ({ name }) => `Use ${name} everywhere`,
        (card) => moveHookToRun(folder(), drawn(), card, id),
      );
    },
  };
}

/** Commands for what one entry says, and for its code. */
function entryCommands(
  { folder, drawn, applyOne }: Editing,
  actions: ProjectStore['actions'],
  { cardAt, entryAt, applyTo, typeIn }: ChainEditing,
) {
  return {
    /** Writes the function that an entry names and no file defines. */
    createHookCode(file: string, id: string) {
      const card = cardAt(file);
      const entry = card && entryAt(card, id);
      if (entry === undefined) return;
      const kind = entry.phase === 'around' ? 'hook' : entry.phase;
      const written = addFunction(folder(), { file: entry.file, name: entry.functionName, kind });
      if (!applyOne(written, { label: `Create ${entry.functionName}` }) || !written.ok) return;
      const now = withChanges(folder(), fileChanges(written.value));
      actions.openFile(entry.file, hookPlace(now, entry, card?.name ?? ''), card && `agent:${card.name}`);
    },
    setHookPhase(file: string, id: string, phase: Exclude<HookPhase, 'around'>): string | undefined {
      return applyTo(
        file,
        id,
        ({ name }) => `Move ${name} to ${phase}`,
        (card) => setHookPhase(folder(), drawn(), card, id, phase),
      );
    },
    /** Switches a hook off, so that runs skip it, or on again. */
    setHookOff(file: string, id: string, off: boolean): string | undefined {
      return applyTo(
        file,
        id,
        ({ name }) => `Switch ${name} ${off ? 'off' : 'on'}`,
        (card) => setHookOff(folder(), drawn(), card, id, off),
      );
    },
    setHookCode(file: string, id: string, code: HookCode) {
      applyTo(
        file,
        id,
        ({ name }) => `Replace ${name} by ${code.functionName}`,
        (card) => setHookCode(folder(), drawn(), card, id, code),
      );
    },
    setHookParameters(file: string, id: string, parameters: Readonly<Record<string, Json | undefined>>) {
      const part = Object.keys(parameters).join(', ');
      typeIn(file, id, part, (card) => setHookParameters(folder(), drawn(), card, id, parameters));
    },
    setHookPolicy(file: string, id: string, part: 'on_error' | 'timeout_ms', value: Json | undefined) {
      typeIn(file, id, part, (card) => setHookPolicy(folder(), drawn(), card, id, part, value));
    },
    /** Shows the form of a hook in the inspector of its agent. */
    showHook(file: string, id: string) {
      const card = cardAt(file);
      if (card === undefined || entryAt(card, id) === undefined) return;
      actions.select([`agent:${card.name}`]);
      actions.show({ shownHook: { file, id }, inspectorTab: 'properties', narrowPanel: 'inspector' });
    },
    /** Opens the code of a hook at its line, or its entry in callboard.yaml if it has no code. */
    openHook(file: string, id: string) {
      const card = cardAt(file);
      const entry = card && entryAt(card, id);
      if (card === undefined || entry === undefined) return;
      const agent = `agent:${card.name}`;
      if (folder().has(entry.file)) actions.openFile(entry.file, hookPlace(folder(), entry, card.name), agent);
      else actions.openFile(entry.home, undefined, agent);
    },
  };
}
