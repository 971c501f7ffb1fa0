import type { Json, JsonObject } from '@/lib/base/json';
import type { Card, CodeRef } from '@/lib/cards/card';
import type { FolderDraft } from '@/lib/cards/edit/draft';
import type { HookPolicy } from '@/lib/cards/hook-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { joinPath, relativePath, splitCodeSpec } from '@/lib/cards/references';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { type ChainEntry, type HookOrigin, type HookPhase, hookChain, policyOf } from './hook-chain';
import type { Home } from './hook-order';
import { newSettings, settingsFileOf } from './settings-file';

/** Writes entries of the hook chain of one card into the texts of a folder. A failure is kept by the draft. */
export class HookWriter {
  readonly draft: FolderDraft;
  readonly #parsed: ParsedFolder;
  readonly #card: Card;

  constructor(draft: FolderDraft, parsed: ParsedFolder, card: Card) {
    this.draft = draft;
    this.#parsed = parsed;
    this.#card = card;
  }

  /** Returns an entry as it is written. Fails if the text is no longer the one that the chain was read from. */
  read(entry: ChainEntry): Json {
    const value = this.draft.read(entry.home, this.pathOf(entry));
    const named = isJsonObject(value) ? value.code : value;
    const same = entry.kind === 'code' ? named === entry.spec : isJsonObject(value) && Object.hasOwn(value, entry.kind);
    if (same && (typeof value === 'string' || isJsonObject(value))) return value;
    const why = `${entry.home} has changed and cannot be read now. Correct its text first.`;
    this.draft.fail('cannot-edit', entry.home, why);
    return null;
  }

  /** Returns the path of an entry in its file. */
  pathOf({ id, origin }: ChainEntry): Path {
    const [list = '', key = ''] = id.split('.');
    if (list === 'tool_hooks' && /^\d+$/.test(key)) return [list, this.#rawIndex(Number(key))];
    if (origin === 'card') return [list, key];
    return [...this.listOf(origin), Number(key)];
  }

  /** Returns the path of a list of hooks. */
  listOf(origin: HookOrigin): Path {
    if (origin === 'run') return ['run_hooks'];
    return origin === 'card' ? ['tool_hooks'] : ['agent_hooks', this.#card.name];
  }

  fileOf(origin: HookOrigin): string {
    return origin === 'card' ? this.#card.file : settingsFileOf(this.#parsed);
  }

  /** Inserts an entry into a list. */
  insert({ origin, index }: Home, value: Json): void {
    const path = this.listOf(origin);
    const file = this.fileOf(origin);
    if (origin !== 'card') {
      this.draft.yaml(file, { op: 'insert', path, index, value }, newSettings);
    } else if (Array.isArray(this.draft.read(file, path))) {
      this.draft.card(file, { op: 'insert', path, index: this.#rawIndex(index), value });
    } else this.draft.card(file, { op: 'set', path, value: [value] });
  }

  /** Moves an entry to another position of its list, counted without the entry. */
  reorder(entry: ChainEntry, index: number): void {
    const [from] = this.pathOf(entry).slice(-1);
    const to = entry.origin === 'card' ? this.#rawIndexWithout(Number(from), index) : index;
    const edit = { op: 'move' as const, path: this.listOf(entry.origin), from: Number(from), to };
    if (entry.origin === 'card') this.draft.card(entry.home, edit);
    else this.draft.yaml(entry.home, edit);
  }

  /** Inserts code into a list of hooks. With `off` it is written as switched off. */
  insertCode(home: Home, spec: string, off: boolean): void {
    if (home.origin !== 'card') {
      this.insert(home, off ? { code: spec, enabled: false } : spec);
      return;
    }
    this.#failIfSwitchDiffers(spec, off);
    this.insert(home, spec);
    this.setSwitch('around', spec, off);
  }

  /** Removes an entry, and its list or mapping if that becomes empty. A switch of the entry goes with it. */
  remove(entry: ChainEntry): void {
    this.dropSwitch(entry);
    this.draft.prune(entry.home, this.pathOf(entry));
  }

  /** Lets an entry of code name another function. A hook that is off stays off. */
  rename(entry: ChainEntry, spec: string): void {
    const value = this.read(entry);
    this.dropSwitch(entry);
    this.setIn(entry, isJsonObject(value) ? ['code'] : [], spec);
    if (entry.origin !== 'card') return;
    if (entry.phase === 'around') this.#failIfSwitchDiffers(spec, entry.off, entry.id);
    this.setSwitch(entry.phase, spec, entry.off);
  }

  /** Switches an entry off or on. Equal entries of the list of a card have one switch. */
  setOff(entry: ChainEntry, off: boolean): void {
    const value = this.read(entry);
    if (entry.off === off) return;
    if (entry.origin === 'card') this.setSwitch(entry.phase, entry.spec, off);
    else if (!off) this.draft.prune(entry.home, [...this.pathOf(entry), 'enabled']);
    else if (isJsonObject(value)) this.setIn(entry, ['enabled'], false);
    else this.setIn(entry, [], { code: value, enabled: false });
  }

  /** Switches a hook of the card, which names it `spec`, off or on. */
  setSwitch(phase: HookPhase, spec: string, off: boolean): void {
    if (!off) {
      this.#switchOn(phase, spec);
      return;
    }
    const file = settingsFileOf(this.#parsed);
    const at = ['hooks_off', this.#card.name];
    if (phase !== 'around') {
      this.draft.yaml(file, { op: 'set', path: [...at, phase], value: spec }, newSettings);
      return;
    }
    const path = [...at, 'tool_hooks'];
    const written = this.draft.read(file, path);
    const list: readonly unknown[] = Array.isArray(written) ? written : [];
    if (!list.includes(spec))
      this.draft.yaml(file, { op: 'insert', path, index: list.length, value: spec }, newSettings);
  }

  /** Removes the switch of a hook of the card that leaves its place, unless an equal entry beside it has the switch too. */
  dropSwitch(entry: ChainEntry): void {
    const { id, phase, spec } = entry;
    const hasTwin =
      phase === 'around' &&
      hookChain(this.#card, this.#parsed).some((other) => other.id !== id && isInList(other, spec));
    if (entry.origin === 'card' && entry.off && !hasTwin) this.#switchOn(phase, spec);
  }

  /** Equal entries of the list of a card have one switch, so one that is on and one that is off cannot stand there. */
  #failIfSwitchDiffers(spec: string, off: boolean, except?: string): void {
    const { name, file } = this.#card;
    const chain = hookChain(this.#card, this.#parsed);
    const twin = chain.find((other) => other.id !== except && isInList(other, spec));
    if (twin === undefined || twin.off === off) return;
    const why = `'${spec}' is in the list of '${name}' already, and is ${twin.off ? 'off' : 'on'} there. Equal hooks of a card have one switch: switch one of them first.`;
    this.draft.fail('hook-switch', file, why);
  }

  #switchOn(phase: HookPhase, spec: string): void {
    const file = settingsFileOf(this.#parsed);
    const at = ['hooks_off', this.#card.name];
    if (phase !== 'around') {
      if (this.draft.read(file, [...at, phase]) === spec) this.draft.prune(file, [...at, phase]);
      return;
    }
    const list = this.draft.read(file, [...at, 'tool_hooks']);
    const index = Array.isArray(list) ? list.indexOf(spec) : -1;
    if (index >= 0) this.draft.prune(file, [...at, 'tool_hooks', index]);
  }

  setIn(entry: ChainEntry, path: Path, value: Json): void {
    const edit = { op: 'set' as const, path: [...this.pathOf(entry), ...path], value };
    if (entry.origin === 'card') this.draft.card(entry.home, edit);
    else this.draft.yaml(entry.home, edit);
  }

  /** Returns how code is named in the file of a place. A name that stays in its file is not rewritten. */
  specIn(origin: HookOrigin, code: CodeRef & { readonly origin?: HookOrigin }): string {
    const wasInCard = code.origin === 'card';
    if (code.origin !== undefined && wasInCard === (origin === 'card')) return code.spec;
    const path = origin === 'card' ? relativePath(this.#card.file, code.file) : code.file;
    return `${path}:${code.functionName}`;
  }

  /** Keeps the policy of a hook whose name in the text changes. `leaves` is false for a copy. */
  keepPolicy(entry: ChainEntry, spec: string, leaves: boolean): void {
    if (spec === entry.spec) return;
    const { settings } = this.#parsed;
    const file = settingsFileOf(this.#parsed);
    const after = policyOf(this.#parsed, { ...entry, spec });
    if (samePolicy(after, entry.policy)) return;
    const others = this.#others(entry);
    const isShared = others.some((other) => namesOf(other).includes(spec) && !samePolicy(other.policy, entry.policy));
    if (Object.hasOwn(settings.hooks, spec) || isShared) {
      const why = `'${spec}' has another policy elsewhere in the project, and one name has one policy. Make the policies equal first.`;
      this.draft.fail('hook-policy', file, why);
    } else if (leaves && !others.some((other) => namesOf(other).includes(entry.spec))) {
      this.draft.yaml(file, { op: 'rename', path: ['hooks', entry.spec], key: spec });
    } else this.draft.yaml(file, { op: 'set', path: ['hooks', spec], value: policyValue(entry.policy) });
  }

  /** Removes the policies that only this entry uses. */
  dropPolicy(entry: ChainEntry): void {
    if (entry.kind !== 'code') return;
    const others = new Set(this.#others(entry).flatMap(namesOf));
    for (const name of namesOf(entry)) {
      if (Object.hasOwn(this.#parsed.settings.hooks, name) && !others.has(name)) {
        this.draft.prune(settingsFileOf(this.#parsed), ['hooks', name]);
      }
    }
  }

  /** Returns all other hooks of the project that are code. */
  #others(entry: ChainEntry): ChainEntry[] {
    return this.#parsed.cards.flatMap((card) =>
      hookChain(card, this.#parsed).filter((other) => {
        const isSame = other.home === entry.home && other.id === entry.id;
        const isShared = other.origin !== 'agent settings' || card.name === this.#card.name;
        return other.kind === 'code' && !(isSame && isShared);
      }),
    );
  }

  /** Converts a position among the hooks of the card that can be read to one of the list as it is written. */
  #rawIndex(index: number): number {
    const places = this.#readable();
    return places[index] ?? (places.at(-1) ?? -1) + 1;
  }

  #rawIndexWithout(from: number, index: number): number {
    const places = this.#readable().flatMap((place) => (place === from ? [] : [place > from ? place - 1 : place]));
    return places[index] ?? (places.at(-1) ?? -1) + 1;
  }

  #readable(): number[] {
    const list = this.draft.read(this.#card.file, ['tool_hooks']);
    if (!Array.isArray(list)) return [];
    return list.flatMap((value: unknown, index) => {
      const split = typeof value === 'string' ? splitCodeSpec(value) : undefined;
      return split === undefined || joinPath(this.#card.file, split.file) === undefined ? [] : [index];
    });
  }
}

/** True for an entry of the list of the card that names a function as `spec`. */
function isInList({ origin, phase, spec: own }: ChainEntry, spec: string): boolean {
  return origin === 'card' && phase === 'around' && own === spec;
}

function namesOf({ spec, file, functionName }: CodeRef): readonly string[] {
  return [spec, `${file}:${functionName}`];
}

function policyValue({ on_error, timeout_ms }: HookPolicy): JsonObject {
  return {
    ...(on_error === undefined ? {} : { on_error }),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  };
}

function samePolicy(a: HookPolicy, b: HookPolicy): boolean {
  return a.on_error === b.on_error && a.timeout_ms === b.timeout_ms;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
