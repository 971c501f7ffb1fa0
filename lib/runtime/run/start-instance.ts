import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { type ChildRoute, childRoute } from '@/lib/runtime/delegation/child-route';
import { readInput } from '@/lib/runtime/delegation/read-input';
import { calledRoute, workerCallName, workerRoute } from '@/lib/runtime/delegation/workers';
import type { InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { RunError } from '@/lib/runtime/record/events';
import type { CallOfInstance, InstanceRecord } from '@/lib/runtime/record/instance-record';
import type { Message } from '@/lib/runtime/record/messages';
import { cardsByName } from '@/lib/runtime/request/validate';

/** What the instance of a run gets that is one instance of another run. The other fields are those of every run. */
export type InstanceStart = Pick<
  InstanceSpec,
  'input' | 'attachments' | 'history' | 'state' | 'handedModels' | 'outputSchema'
>;

/**
 * Makes the start of one recorded instance that runs again alone. With `args`, they become its input as in a call by its parent.
 * `history` are the messages that it was given before its input. Errors: `again_arguments`, with a sentence.
 */
export function startOfInstance(
  { agentName, started, caller }: InstanceRecord,
  history: readonly Message[],
  args: JsonObject | undefined,
  { folder, parsed }: { readonly folder: Folder; readonly parsed: ParsedFolder },
): Result<InstanceStart, RunError> {
  const cards = cardsByName(parsed);
  const child = cards.get(agentName);
  const route = child && caller && routeOf(caller, child, cards, parsed);
  const given = args === undefined ? ok({ input: started.input, attachments: [] }) : inputOf(route, args, folder);
  if (!given.ok) return err({ code: 'again_arguments', message: `Agent '${agentName}' cannot run: ${given.error}` });
  return ok({
    ...given.value,
    history,
    state: started.state ?? {},
    handedModels: caller?.model === undefined ? undefined : { edge: route?.options.model, caller: caller.model },
    outputSchema: route?.outputSchema,
  });
}

function routeOf(
  { agentName, toolName }: CallOfInstance,
  child: Card,
  cards: ReadonlyMap<string, Card>,
  { settings }: ParsedFolder,
): ChildRoute | undefined {
  const parent = cards.get(agentName);
  if (parent === undefined) return undefined;
  const view = agentView(parent);
  // The steps of a workflow get their message as it is.
  if (parent.type !== 'agent') {
    return { ...childRoute(view, child, settings, cards), inputMode: 'text_json', inputSchema: undefined };
  }
  if (toolName === workerCallName) return calledRoute(workerRoute(view, child, settings, cards));
  return view.agents.includes(child.name)
    ? childRoute(view, child, settings, cards)
    : workerRoute(view, child, settings, cards);
}

function inputOf(
  route: ChildRoute | undefined,
  given: JsonObject,
  folder: Folder,
): Result<Pick<InstanceStart, 'input' | 'attachments'>, string> {
  if (route === undefined) return err('the agent that called it is not in the project. Use the recorded input.');
  const { worker: _worker, ...rest } = given;
  const tool = route.viaWorkerCall ? workerCallName : route.tool.name;
  const input = readInput(route, route.viaWorkerCall ? rest : given, tool, folder);
  return input.ok ? ok({ input: input.value.message, attachments: input.value.attachments }) : err(input.error.message);
}
