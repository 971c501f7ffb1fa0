import type { Json } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { maxRunHooks } from '@/lib/cards/hook-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { membersOf } from '@/lib/cards/read/members';
import { type ChainEntry, type HookOrigin, type HookPhase, hookChain } from './hook-chain';
import { type HookCode, type HookCommand, HookEdit, listOfPhase, type NewHook } from './hook-edit';
import { homeAt, takesChain } from './hook-order';
import { settingsFileOf } from './settings-file';

/**
 * The edits of a hook chain, wherever its entries are written. Each takes the current folder and the card, and returns new
 * texts by path or an Issue with the reason why it cannot be done. Lines of other entries stay as they are.
 */

/** Where a hook is added. */
export interface HookPlace {
  readonly phase: HookPhase;
  /** The position among the hooks that wrap calls, from 0. Without it, the hook becomes the innermost. */
  readonly at?: number | undefined;
  /** True for a hook that wraps the calls of every agent. */
  readonly everywhere?: boolean;
}

/** Adds a hook. Code goes to the card, or to `agent_hooks` if the card has no room for it; other hooks to `agent_hooks`. */
export function addHook(
  folder: Folder,
  parsed: ParsedFolder,
  card: Card,
  hook: NewHook,
  place: HookPlace,
): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  if (card.type === 'a2a') {
    return edit.refuse(
      'hook-remote',
      `'${card.name}' is a remote agent. It calls no tools here, so it takes no hooks.`,
    );
  }
  if (place.phase !== 'around') {
    if (hook.kind === 'code') return edit.addPhase(hook, place.phase);
    return edit.refuse('hook-phase', `Only code runs at ${place.phase}. Choose a function.`);
  }
  const others = edit.around;
  const base: HookOrigin = place.everywhere
    ? 'run'
    : hook.kind === 'code' && takesChain(card)
      ? 'card'
      : 'agent settings';
  const entry = { kind: hook.kind, name: nameOf(hook), origin: base };
  const wanted = homeAt(card, entry, others, Math.min(place.at ?? others.length, others.length));
  // A position that this hook cannot have gives way to the next one that it can.
  const home = wanted.ok ? wanted.home : { origin: base, index: nearestIndex(others, base, place.at) };
  if (home.origin === 'run' && parsed.settings.run_hooks.length >= maxRunHooks) return edit.tooManyRunHooks();
  if (hook.kind === 'code') {
    edit.writer.insertCode(home, edit.writer.specIn(home.origin, { ...hook, spec: '' }), hook.off === true);
  } else edit.writer.insert(home, { [hook.kind]: hook.parameters, ...(hook.off === true && { enabled: false }) });
  return edit.done(home.origin, home.index, wanted.ok ? undefined : `${wanted.reason} It was added at the next place.`);
}

/** Moves a hook that wraps calls to position `to` (from 0) among them. */
export function moveHook(folder: Folder, parsed: ParsedFolder, card: Card, id: string, to: number): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined) return edit.gone();
  if (entry.phase !== 'around') {
    const why = `'${entry.name}' runs at ${entry.phase}, which decides when it runs. Choose another phase to move it.`;
    return edit.refuse('hook-phase', why);
  }
  const others = edit.around.filter((other) => other !== entry);
  const verdict = homeAt(card, entry, others, Math.max(0, Math.min(to, others.length)));
  if (!verdict.ok) return edit.refuse('hook-order', verdict.reason);
  const { home } = verdict;
  const value = edit.writer.read(entry);
  if (home.origin === entry.origin) {
    edit.writer.reorder(entry, home.index);
    return edit.done(home.origin, home.index);
  }
  const spec = edit.writer.specIn(home.origin, entry);
  edit.writer.keepPolicy(entry, spec, true);
  edit.writer.remove(entry);
  if (entry.kind === 'code') edit.writer.insertCode(home, spec, entry.off);
  else edit.writer.insert(home, value);
  return edit.done(home.origin, home.index, `'${entry.name}' is now in ${edit.writer.fileOf(home.origin)}.`);
}

/** Removes a hook, and the policy that only it uses. */
export function removeHook(folder: Folder, parsed: ParsedFolder, card: Card, id: string): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined) return edit.gone();
  edit.writer.read(entry);
  edit.writer.dropPolicy(entry);
  edit.writer.remove(entry);
  const isOfRun = entry.origin === 'run';
  return edit.finish('', isOfRun ? `'${entry.name}' no longer wraps the calls of any agent.` : undefined);
}

/** Moves a hook of a phase to another phase. */
export function setHookPhase(
  folder: Folder,
  parsed: ParsedFolder,
  card: Card,
  id: string,
  phase: Exclude<HookPhase, 'around'>,
): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined) return edit.gone();
  if (entry.phase === 'around') {
    const why = `'${entry.name}' takes (ctx, args, next), and a hook of a phase takes (ctx). Add another function for ${phase}.`;
    return edit.refuse('hook-phase', why);
  }
  if (entry.phase === phase) return edit.finish(id);
  const taken = edit.chain.find((other) => other.phase === phase);
  if (taken !== undefined) return edit.phaseTaken(taken);
  const [list, next] = [listOfPhase(entry.phase), listOfPhase(phase)];
  edit.writer.read(entry);
  if (list === next) {
    edit.writer.dropSwitch(entry);
    edit.writer.draft.card(card.file, { op: 'rename', path: [list, entry.phase], key: phase });
  } else {
    edit.writer.remove(entry);
    edit.writer.draft.card(card.file, { op: 'set', path: [next, phase], value: entry.spec });
  }
  edit.writer.setSwitch(phase, entry.spec, entry.off);
  return edit.finish(`${next}.${phase}`);
}

/** Copies a hook to another agent, as the innermost hook or to the same phase. Its policy goes with it. */
export function copyHook(folder: Folder, parsed: ParsedFolder, from: Card, id: string, to: Card): HookCommand {
  const source = new HookEdit(folder, parsed, from);
  const entry = source.find(id);
  if (entry === undefined) return source.gone();
  if (entry.origin === 'run') {
    return source.refuse(
      'hook-order',
      `'${entry.name}' is a hook of the run and wraps the calls of '${to.name}' already.`,
    );
  }
  const value = source.writer.read(entry);
  const target = hookChain(to, parsed);
  const twin = target.find((other) => other.kind === 'code' && sameCode(other, entry) && other.phase === entry.phase);
  if (entry.kind === 'code' && twin !== undefined) {
    return source.refuse('name-taken', `'${to.name}' has the hook '${entry.name}' already.`);
  }
  const code: HookCode = { kind: 'code', file: entry.file, functionName: entry.functionName };
  const hook: NewHook =
    entry.kind === 'code' ? code : { kind: entry.kind, parameters: parametersOf(value, entry.kind) };
  const added = addHook(folder, parsed, to, { ...hook, off: entry.off }, { phase: entry.phase });
  if (!added.ok || entry.kind !== 'code') return added;
  return source.withPolicyFor(entry, to, added.value);
}

/** Moves a hook into `run_hooks`, so that it wraps the calls of every agent. */
export function moveHookToRun(folder: Folder, parsed: ParsedFolder, card: Card, id: string): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined) return edit.gone();
  const { run_hooks } = parsed.settings;
  if (entry.phase !== 'around') {
    return edit.refuse('hook-phase', `A hook of a phase belongs to one agent. Copy '${entry.name}' to other agents.`);
  }
  if (entry.origin === 'run')
    return edit.refuse('hook-order', `'${entry.name}' wraps the calls of every agent already.`);
  if (run_hooks.length >= maxRunHooks) return edit.tooManyRunHooks();
  const cut = edgeWithoutRunHooks(parsed, card.name);
  if (cut !== undefined) {
    const why = `'${cut.parent}' runs '${cut.child}' without hooks of the run (inherit_run_hooks: false), so '${entry.name}' would no longer wrap the calls of '${card.name}'. Copy it to other agents instead.`;
    return edit.refuse('hook-order', why);
  }
  const value = edit.writer.read(entry);
  const spec = edit.writer.specIn('run', entry);
  if (entry.kind === 'code') edit.writer.keepPolicy(entry, spec, true);
  edit.writer.remove(entry);
  const home = { origin: 'run', index: run_hooks.length } as const;
  if (entry.kind === 'code') edit.writer.insertCode(home, spec, entry.off);
  else edit.writer.insert(home, value);
  const twins = parsed.cards.filter(
    (other) =>
      other !== card && hookChain(other, parsed).some((twin) => twin.origin !== 'run' && sameHook(twin, entry)),
  );
  const also = twins.map(({ name }) => `'${name}'`).join(', ');
  const note = entry.off
    ? `'${entry.name}' is a hook of every agent now, and still off.`
    : `'${entry.name}' wraps the calls of every agent, outside of their own hooks.`;
  return edit.done('run', run_hooks.length, twins.length === 0 ? note : `${note} ${also} has it too: remove it there.`);
}

/** Sets parameters of a hook without code by name; `undefined` resets one to its default. */
export function setHookParameters(
  folder: Folder,
  parsed: ParsedFolder,
  card: Card,
  id: string,
  parameters: Readonly<Record<string, Json | undefined>>,
): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined || entry.kind === 'code') return edit.gone();
  const written = edit.writer.read(entry);
  const draft = edit.writer.draft;
  for (const [name, value] of Object.entries(parameters)) {
    const path = [...edit.writer.pathOf(entry), entry.kind, name];
    if (value !== undefined) edit.writer.setIn(entry, [entry.kind, name], value);
    else if (hasKey(parametersOf(written, entry.kind), name)) draft.yaml(entry.home, { op: 'remove', path });
  }
  return edit.finish(id);
}

/** Sets a part of the policy of code; `undefined` resets it. The policy counts wherever the function is a hook. */
export function setHookPolicy(
  folder: Folder,
  parsed: ParsedFolder,
  card: Card,
  id: string,
  part: 'on_error' | 'timeout_ms',
  value: Json | undefined,
): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined || entry.kind !== 'code') return edit.gone();
  const { hooks } = parsed.settings;
  const path = `${entry.file}:${entry.functionName}`;
  const key = !Object.hasOwn(hooks, path) && Object.hasOwn(hooks, entry.spec) ? entry.spec : path;
  if (value !== undefined) edit.setSettings(['hooks', key, part], value);
  else edit.writer.draft.prune(settingsFileOf(parsed), ['hooks', key, part]);
  return edit.finish(id);
}

/** Lets an entry of code name another function. */
export function setHookCode(folder: Folder, parsed: ParsedFolder, card: Card, id: string, code: HookCode): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined || entry.kind !== 'code') return edit.gone();
  edit.writer.read(entry);
  edit.writer.dropPolicy(entry);
  edit.writer.rename(entry, edit.writer.specIn(entry.origin, { ...code, spec: '' }));
  return edit.finish(id);
}

/** Switches a hook off or on. A hook that is off stays in the file, and every run skips it. */
export function setHookOff(folder: Folder, parsed: ParsedFolder, card: Card, id: string, off: boolean): HookCommand {
  const edit = new HookEdit(folder, parsed, card);
  const entry = edit.find(id);
  if (entry === undefined) return edit.gone();
  edit.writer.setOff(entry, off);
  const ofAll = off
    ? `'${entry.name}' no longer wraps the calls of any agent.`
    : `'${entry.name}' wraps the calls of every agent.`;
  return edit.finish(id, entry.origin === 'run' ? ofAll : undefined);
}

function nameOf(hook: NewHook): string {
  return hook.kind === 'code' ? hook.functionName : hook.kind;
}

/** Returns the position in a list that is nearest to a position of the whole chain. */
function nearestIndex(others: readonly ChainEntry[], origin: HookOrigin, at: number | undefined): number {
  return others.slice(0, at ?? others.length).filter((entry) => entry.origin === origin).length;
}

function sameCode(a: ChainEntry, b: ChainEntry): boolean {
  return a.file === b.file && a.functionName === b.functionName;
}

function sameHook(a: ChainEntry, b: ChainEntry): boolean {
  if (a.kind !== b.kind || a.phase !== b.phase) return false;
  return a.kind === 'code' ? sameCode(a, b) : JSON.stringify(a.parameters) === JSON.stringify(b.parameters);
}

/** Returns the parameters of a written entry, such as those of `clamp: {…}`. */
function parametersOf(written: Json, kind: string): Json {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return null;
  return Object.entries(written).find(([key]) => key === kind)?.[1] ?? null;
}

function hasKey(value: Json, key: string): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
}

/** Returns a delegation without run hooks through which an agent may be reached. */
function edgeWithoutRunHooks(
  { settings, cards }: ParsedFolder,
  agent: string,
): { readonly parent: string; readonly child: string } | undefined {
  const byName = new Map([...cards].reverse().map((card) => [card.name, card]));
  for (const [parent, children] of Object.entries(settings.delegations)) {
    for (const [child, options] of Object.entries(children)) {
      if (options.inherit_run_hooks !== false) continue;
      const reached = new Set([child]);
      for (const name of reached) {
        const card = byName.get(name);
        for (const next of card === undefined ? [] : membersOf(card)) reached.add(next);
      }
      if (reached.has(agent)) return { parent, child };
    }
  }
  return undefined;
}
