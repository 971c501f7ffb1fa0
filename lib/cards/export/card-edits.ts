import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { CardText } from './card-text';

/** Removes hooks that are switched off from a card, because fast-agent would run them. `runs` is the card without them. */
export function removeHooksOff(card: AgentCard, runs: AgentCard, text: CardText): void {
  if (runs === card) return;
  const { toolHooks, lifecycleHooks } = card;
  if (toolHooks.form === 'chain' && runs.toolHooks.form === 'chain') {
    // A list is replaced or removed as a whole.
    for (const [index, hook] of toolHooks.chain.entries()) {
      if (!runs.toolHooks.chain.includes(hook)) loseOff(text, ['tool_hooks', index], hook);
    }
  }
  if (toolHooks.form === 'phases' && runs.toolHooks.form === 'phases')
    removeAll('tool_hooks', toolHooks.phases, runs.toolHooks.phases, text);
  removeAll('lifecycle_hooks', lifecycleHooks, runs.lifecycleHooks, text);
}

type Phases = Readonly<Record<string, CodeRef>>;

function removeAll(key: string, phases: Phases, kept: Phases, text: CardText): void {
  const off = Object.entries(phases).filter(([phase]) => !Object.hasOwn(kept, phase));
  for (const [phase, hook] of off) loseOff(text, [key, phase], hook);
  if (off.length > 0 && Object.keys(kept).length === 0) text.remove([key]);
  else for (const [phase] of off) text.remove([key, phase]);
}

function loseOff(text: CardText, path: Path, { spec }: CodeRef): void {
  const message = `The hook '${spec}' is not exported, because it is switched off. Switch it on to export it.`;
  text.note(path, { kind: 'lost', message });
}

/**
 * Removes code that is not Python from a card, because fast-agent runs Python only and rejects a card with any other code.
 * `written` is the card with the hooks that are off too, whose places are those of the text.
 */
export function removeForeignCode(written: AgentCard, card: AgentCard, text: CardText): void {
  const tools = card.functionTools.filter((tool) => !isPython(tool.file));
  const isLast = tools.length > 0 && tools.length === card.functionTools.length;
  for (const { entrypoint } of tools) {
    const index = text.toolIndex(entrypoint);
    const path = index === undefined ? ['function_tools'] : ['function_tools', index];
    lose(text, path, 'The function tool', entrypoint);
    if (index !== undefined && !isLast) text.remove(path);
  }
  // The list becomes empty but stays, because without it fast-agent gives the agent the tools of the program that starts
  // it.
  if (isLast) {
    text.set(['function_tools'], [], { kind: 'differs', message: 'This card has no function tool left.' });
  }

  removeHooks(written, card, text);
  removePhases('lifecycle_hooks', card.lifecycleHooks, text);
}

function removeHooks(written: AgentCard, card: AgentCard, text: CardText): void {
  const { toolHooks } = card;
  if (toolHooks.form === 'none') return;
  if (toolHooks.form === 'chain') {
    const places = written.toolHooks.form === 'chain' ? written.toolHooks.chain : [];
    for (const hook of toolHooks.chain) {
      if (!isPython(hook.file)) lose(text, ['tool_hooks', places.indexOf(hook)], 'The hook', hook.spec);
    }
    // A list with a Python hook is replaced by the phases of the adapter instead.
    if (!toolHooks.chain.some((hook) => isPython(hook.file))) text.remove(['tool_hooks']);
    return;
  }
  removePhases('tool_hooks', toolHooks.phases, text);
}

function removePhases(key: string, phases: Readonly<Record<string, CodeRef>>, text: CardText): void {
  const foreign = Object.entries(phases).filter(([, hook]) => !isPython(hook.file));
  for (const [phase, hook] of foreign) lose(text, [key, phase], 'The hook', hook.spec);
  if (foreign.length > 0 && foreign.length === Object.keys(phases).length) text.remove([key]);
  else for (const [phase] of foreign) text.remove([key, phase]);
}

function lose(text: CardText, path: Path, what: string, spec: string): void {
  const message = `${what} '${spec}' is not exported: fast-agent runs Python only. Write it in Python to keep it.`;
  text.note(path, { kind: 'lost', message });
}

function isPython(file: string): boolean {
  return file.endsWith('.py');
}
