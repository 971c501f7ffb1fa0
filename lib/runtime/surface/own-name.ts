import { type Brand, brandAs } from '@/lib/base/ids';
import type { AssistantMessage, ToolCall } from '@/lib/runtime/record/messages';
import type { Surface, ToolRoute } from './route';

/**
 * The name by which hooks, approvals, rules, limits, barriers and the record know a tool. Models also write it in another case, or call a
 * child by its bare name. So a name that a model wrote says nothing before `ownName` looked it up.
 */
export type OwnName = Brand<string, 'OwnName'>;

/** A call whose tool was looked up. The name of a tool that does not exist is as the model wrote it. */
export type NamedCall = Omit<ToolCall, 'name'> & { readonly name: OwnName };

/** Returns the call with its tool's own name. */
export function named(surface: Surface | undefined, call: ToolCall): NamedCall {
  return { ...call, name: ownName(surface, call.name) };
}

/** Returns the message with the own names of the tools that it calls, and the names that were otherwise. */
export function withOwnNames(
  surface: Surface | undefined,
  message: AssistantMessage,
): {
  readonly message: AssistantMessage;
  readonly renamed: readonly { readonly from: string; readonly to: OwnName }[];
} {
  const renamed = message.toolCalls.flatMap(({ name }) => {
    const to = ownName(surface, name);
    return to === name ? [] : [{ from: name, to }];
  });
  if (renamed.length === 0) return { message, renamed };
  return { message: { ...message, toolCalls: message.toolCalls.map((call) => named(surface, call)) }, renamed };
}

/** Some models write marks of their format behind a name, such as `weather<|channel|>commentary`. */
const behindName = /<\|.*$/s;

/**
 * Takes the name of a child, a name in another case if only one tool matches, as fast-agent does, and a name with marks of a format
 * behind it.
 */
function ownName(surface: Surface | undefined, written: string): OwnName {
  if (surface === undefined || isExact(surface, written)) return brandAs<OwnName>(written);
  const name = written.replace(behindName, '').trim();
  if (isExact(surface, name)) return brandAs<OwnName>(name);
  return brandAs<OwnName>(otherwiseNamed(surface, name)?.tool.name ?? written);
}

function isExact({ routes, inactive }: Surface, name: string): boolean {
  return routes.has(name) || inactive?.has(name) === true;
}

function otherwiseNamed(surface: Surface, name: string): ToolRoute | undefined {
  const lower = name.toLowerCase();
  const routes = [...surface.routes.values()];
  const isChild = (route: ToolRoute) => route.kind === 'child' && route.child.name === name;
  const inOtherCase = routes.filter((route) => route.tool.name.toLowerCase() === lower);
  return routes.find(isChild) ?? (inOtherCase.length === 1 ? inOtherCase[0] : undefined);
}
