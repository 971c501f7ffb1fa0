import { exactJson, parseExactJson } from './exact-json';
import { isRecord, type Json, type JsonObject } from './json';
import { jsonTrouble, troubleClause } from './json-trouble';
import { err, ok, type Result } from './result';

/*
 * The message of a run that a trigger starts:
 *
 *   New issue: {{body.issue.title}}      ─▶  New issue: Save fails
 *   └text       └placeholder
 *
 * A placeholder is a name with members, nothing that is computed. Its value is put in as text, and is not read for placeholders again.
 */

/** What the placeholders of a message stand for. */
export type TriggerValues =
  | { readonly kind: 'schedule'; readonly trigger: string; readonly due: string }
  | { readonly kind: 'webhook'; readonly trigger: string; readonly body: string };

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;
const memberName = /^body(?:\.[\p{L}\p{N}_$@:-]+)*$/u;

/** Says what is wrong with a template, or `undefined`. */
export function problemOfMessage(template: string, kind: TriggerValues['kind']): string | undefined {
  for (const [whole, name = ''] of template.matchAll(placeholder)) {
    if (name === 'trigger' || (kind === 'schedule' ? name === 'due' : memberName.test(name))) continue;
    const known = kind === 'schedule' ? '{{due}} and {{trigger}}' : '{{body}}, {{body.a.b}} and {{trigger}}';
    return `${whole} is no placeholder. Write ${known}.`;
  }
  return undefined;
}

/**
 * Fills in the placeholders. A member that the body does not have, and null, become nothing; an object becomes JSON. The error is a
 * sentence: the template names members, but the body is not JSON.
 */
export function fillMessage(template: string, values: TriggerValues): Result<string, string> {
  const needsMembers = [...template.matchAll(placeholder)].some(([, name = '']) => name.startsWith('body.'));
  const body = values.kind === 'webhook' && needsMembers ? parseExactJson(values.body) : undefined;
  if (needsMembers && body === undefined) {
    const trouble = values.kind === 'webhook' ? jsonTrouble(values.body) : undefined;
    const why = trouble === undefined ? 'is not JSON' : `cannot be read, because ${troubleClause(trouble)}`;
    return err(`The body ${why}, and the message of this trigger names parts of it.`);
  }
  return ok(template.replace(placeholder, (_, name: string) => filledIn(name, values, body)));
}

function filledIn(name: string, values: TriggerValues, body: Json | undefined): string {
  if (name === 'trigger') return values.trigger;
  if (values.kind === 'schedule') return name === 'due' ? values.due : '';
  return name === 'body' ? values.body : textOf(memberOf(body, name.split('.').slice(1)));
}

function memberOf(value: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined) return value;
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? memberOf(value[Number(name)], rest) : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? memberOf(value[name], rest) : undefined;
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : exactJson(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
