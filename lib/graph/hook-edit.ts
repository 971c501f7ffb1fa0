import type { Issue } from '@/lib/base/issue';
import type { Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import { FolderDraft } from '@/lib/cards/edit/draft';
import type { Folder } from '@/lib/cards/folder';
import { type DeclarativeKind, maxRunHooks } from '@/lib/cards/hook-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { FolderChange } from './commands';
import { type ChainEntry, type HookOrigin, type HookPhase, hookChain, lifecyclePhases } from './hook-chain';
import { HookWriter } from './hook-writer';
import { newSettings, settingsFileOf } from './settings-file';

export interface HookChange {
  readonly texts: FolderChange;
  /** The id of the entry after the change. */
  readonly id: string;
  /** What the person did not ask for in so many words: another file, other agents. */
  readonly note?: string;
}
export type HookCommand = Result<HookChange, Issue>;

/** A function by its path in the folder. */
export interface HookCode {
  readonly kind: 'code';
  readonly file: string;
  readonly functionName: string;
}
export type NewHook = (HookCode | { readonly kind: DeclarativeKind; readonly parameters: Json }) & {
  /** It is added switched off. */
  readonly off?: boolean;
};

/** One edit of the chain of one card. */
export class HookEdit {
  readonly writer: HookWriter;
  readonly chain: readonly ChainEntry[];
  readonly #folder: Folder;
  readonly #parsed: ParsedFolder;
  readonly #card: Card;

  constructor(folder: Folder, parsed: ParsedFolder, card: Card) {
    this.#folder = folder;
    this.#parsed = parsed;
    this.#card = card;
    this.chain = hookChain(card, parsed);
    this.writer = new HookWriter(new FolderDraft(folder), parsed, card);
  }

  get around(): readonly ChainEntry[] {
    return this.chain.filter(({ phase }) => phase === 'around');
  }

  find(id: string): ChainEntry | undefined {
    return this.chain.find((entry) => entry.id === id);
  }

  refuse(code: string, message: string): HookCommand {
    this.writer.draft.fail(code, this.#card.file, message);
    return this.finish('');
  }

  gone(): HookCommand {
    return this.refuse('no-such-hook', `This hook of '${this.#card.name}' has changed or is gone. Choose it again.`);
  }

  phaseTaken({ phase, name }: ChainEntry): HookCommand {
    const why = `'${this.#card.name}' has the hook '${name}' at ${phase}, and a phase has one hook. Remove it first, or call the other function from it.`;
    return this.refuse('name-taken', why);
  }

  tooManyRunHooks(): HookCommand {
    return this.refuse('hook-order', `At most ${maxRunHooks} hooks wrap every call of a run. Remove one first.`);
  }

  done(origin: HookOrigin, index: number, note?: string): HookCommand {
    return this.finish(`${idOfList(origin)}.${index}`, note);
  }

  finish(id: string, note?: string): HookCommand {
    const texts = this.writer.draft.changes();
    if (!texts.ok) return err(texts.error);
    return ok({ texts: texts.value, id, ...(note === undefined ? {} : { note }) });
  }

  setSettings(path: readonly (string | number)[], value: Json): void {
    this.writer.draft.yaml(settingsFileOf(this.#parsed), { op: 'set', path, value }, newSettings);
  }

  /**
   * Adds a hook to a free phase. A card whose `tool_hooks` is a list cannot have phases beside it, so its hooks move to
   * `agent_hooks`, where they run in the same order.
   */
  addPhase(code: HookCode & { readonly off?: boolean }, phase: Exclude<HookPhase, 'around'>): HookCommand {
    const card = this.#card;
    if (card.type !== 'agent') {
      return this.refuse('hook-phase', `Only an agent has phases. '${card.name}' is of type ${card.type}.`);
    }
    const taken = this.chain.find((entry) => entry.phase === phase);
    if (taken !== undefined) return this.phaseTaken(taken);
    const list = listOfPhase(phase);
    const spec = this.writer.specIn('card', { ...code, spec: '' });
    this.writer.setSwitch(phase, spec, code.off === true);
    const ofCard = this.around.filter(({ origin }) => origin === 'card');
    if (list !== 'tool_hooks' || card.toolHooks.form !== 'chain') {
      this.writer.draft.card(card.file, { op: 'set', path: [list, phase], value: spec });
      return this.finish(`${list}.${phase}`);
    }
    if (this.#parsed.cards.filter(({ name }) => name === card.name).length > 1) {
      const why = `Two cards define '${card.name}', and the hooks in 'tool_hooks' have to move to agent_hooks, which would count for both. Rename one first.`;
      return this.refuse('name-taken', why);
    }
    this.#moveChainToSettings(ofCard);
    this.writer.draft.card(card.file, { op: 'set', path: ['tool_hooks'], value: { [phase]: spec } });
    const moved = ofCard.map(({ name }) => `'${name}'`).join(', ');
    const note = `'tool_hooks' of a card is a list or phases, so ${moved} moved to agent_hooks in callboard.yaml. The order is the same.`;
    return this.finish(`tool_hooks.${phase}`, ofCard.length === 0 ? undefined : note);
  }

  #moveChainToSettings(ofCard: readonly ChainEntry[]): void {
    const first = this.around.filter(({ origin }) => origin === 'agent settings').length;
    ofCard.forEach((entry, index) => {
      this.writer.read(entry);
      const spec = this.writer.specIn('agent settings', entry);
      this.writer.keepPolicy(entry, spec, true);
      // Equal entries have one switch, and all of them leave.
      if (entry.off) this.writer.setSwitch('around', entry.spec, false);
      this.writer.insertCode({ origin: 'agent settings', index: first + index }, spec, entry.off);
    });
  }

  /** Adds the policy of a copied hook, if its name in the other card would have none. */
  withPolicyFor(entry: ChainEntry, to: Card, added: HookChange): HookCommand {
    const writer = new HookWriter(new FolderDraft(withTexts(this.#folder, added.texts)), this.#parsed, to);
    const inCard = /^(?:tool|lifecycle)_hooks\./.test(added.id);
    const { origin: _, ...code } = entry;
    writer.keepPolicy(entry, writer.specIn(inCard ? 'card' : 'agent settings', code), false);
    const texts = writer.draft.changes();
    return texts.ok ? ok({ ...added, texts: new Map([...added.texts, ...texts.value]) }) : err(texts.error);
  }
}

export function listOfPhase(phase: HookPhase): 'tool_hooks' | 'lifecycle_hooks' {
  return lifecyclePhases.some((known) => known === phase) ? 'lifecycle_hooks' : 'tool_hooks';
}

function withTexts(folder: Folder, texts: FolderChange): Folder {
  const next = new Map(folder);
  for (const [path, text] of texts) if (text !== null) next.set(path, { kind: 'text', text });
  return next;
}

function idOfList(origin: HookOrigin): string {
  if (origin === 'run') return 'run_hooks';
  return origin === 'card' ? 'tool_hooks' : 'agent_hooks';
}
