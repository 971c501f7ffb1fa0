import { missingScript } from '@/lib/base/missing-script';
import { asksModel } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { calledBy } from '@/lib/cards/project/reachable';
import type { ModelPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { isScripted, resolveModel } from './resolve-model';
import type { RunRequest } from './run-request';
import { cardsByName, firstAsked } from './validate';

/** Returns the error of a scripted run whose first answer nobody has written. */
export function findUnscripted(
  parsed: ParsedFolder,
  request: Pick<RunRequest, 'model'>,
  entry: Card,
): RunError | undefined {
  if (!isScripted(parsed, request)) return undefined;
  const { scripts } = parsed.settings;
  const unscripted = firstAsked(parsed, entry).find(
    ({ name }) => !Object.hasOwn(scripts, name) || scripts[name]?.length === 0,
  );
  return unscripted && { code: 'script_missing', message: missingScript(unscripted.name) };
}

/**
 * Finds the first agent, breadth first from the entry, whose model no provider serves, because the run would fail there
 * after it had done work. Each pair of agent and caller's model is checked once. An agent without a model is reported when
 * it is called.
 */
export function findUnserved(
  parsed: ParsedFolder,
  request: Pick<RunRequest, 'model'>,
  models: Pick<ModelPort, 'problemOf'>,
  entry: Card,
): RunError | undefined {
  if (models.problemOf === undefined) return undefined;
  const cards = cardsByName(parsed);
  const { settings } = parsed;
  const seen = new Set<string>();
  const waiting: { card: Card; edge: string | undefined; caller: string | undefined }[] = [
    { card: entry, edge: undefined, caller: undefined },
  ];
  for (const { card, edge, caller } of waiting) {
    const key = JSON.stringify([card.name, edge, caller]);
    if (seen.has(key)) continue;
    seen.add(key);
    const handed = caller === undefined && edge === undefined ? undefined : { edge, caller: caller ?? '' };
    const resolved = resolveModel(card, parsed, request, handed);
    const isAsked = asksModel(card);
    if (!resolved.ok && isAsked) continue;
    const model = resolved.ok ? resolved.value.model : undefined;
    const problem = isAsked && model !== undefined ? models.problemOf(model) : undefined;
    if (problem !== undefined) return { ...problem, message: `Agent '${card.name}': ${problem.message}` };
    for (const name of new Set(calledBy(card, cards.keys(), settings))) {
      const child = cards.get(name);
      if (child === undefined) continue;
      const options = settings.delegations[card.name];
      const edgeModel = options !== undefined && Object.hasOwn(options, name) ? options[name]?.model : undefined;
      waiting.push({ card: child, edge: edgeModel, caller: model });
    }
  }
  return undefined;
}
