import { escapeHidden } from '@/lib/base/escape-hidden';
import { parseWithDigits } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { PendingQuestion } from '@/lib/base/pending';
import type { AnswerInput } from '@/lib/base/pending-info';
import { hostOf, secretFields } from '@/lib/base/server-form';

/** Prints a prompt and reads a line; `undefined` when the input has ended. */
type Next = (prompt: string) => Promise<string | undefined>;

/**
 * Asks in a terminal what a server asks: the fields of its form one by one, and then whether to send them; or whether the server may be
 * told that its address was opened. The address is printed, and opened by nobody else.
 */
export async function readServerAnswer({ form, server }: PendingQuestion, next: Next): Promise<AnswerInput> {
  const intro = introOf(server?.url, form);
  const first = (await next(`${intro} [y/N/c=dismiss] `))?.trim().toLowerCase();
  if (first === 'c') return { decision: 'cancel' };
  if (first !== 'y' && first !== 'yes') return { decision: 'deny' };
  if (form === undefined) return { decision: 'approve' };
  const properties = isRecord(form.properties) ? form.properties : {};
  const content: Record<string, Json> = {};
  for (const [name, about] of Object.entries(properties)) {
    const field = isObject(about) ? about : {};
    const line = await next(`  ${escapeHidden(labelOf(name, field))}: `);
    const value = typedValue(field, line ?? '');
    if (value !== undefined) content[name] = value;
  }
  const send = await next(
    `  ${escapeHidden(JSON.stringify(content))}\n  Send this to server '${escapeHidden(server?.serverName ?? '')}'? [y/N] `,
  );
  return send?.trim().toLowerCase().startsWith('y') ? { decision: 'answer', content } : { decision: 'deny' };
}

function introOf(url: string | undefined, form: JsonObject | undefined): string {
  if (url !== undefined)
    return `  It asks you to open an address of ${escapeHidden(hostOf(url))}: ${escapeHidden(url)}\n  Open it yourself. Agree?`;
  const secrets = secretFields(form);
  const warning =
    secrets.length > 0 ? `  It asks for ${escapeHidden(secrets.join(', '))}: give no passwords or keys.\n` : '';
  return `${warning}  Answer?`;
}

function labelOf(name: string, field: JsonObject): string {
  const title = typeof field.title === 'string' ? `${field.title} (${name})` : name;
  const from = isObject(field.items) ? field.items : field;
  const choices = Array.isArray(from.enum) ? ` {${from.enum.join(', ')}}` : '';
  const kind = field.type === 'boolean' ? ' {y, n}' : field.type === 'array' ? `${choices}, with commas` : choices;
  const preset = field.default === undefined ? '' : ` [${JSON.stringify(field.default)}]`;
  return `${title}${kind}${preset}`;
}

/** `undefined`: the field is left out. A value that does not fit is refused by the check of the whole answer. */
function typedValue(field: JsonObject, line: string): Json | undefined {
  const text = line.trim();
  if (text === '') return field.default;
  switch (field.type) {
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : text;
    case 'number':
    case 'integer':
      return parseWithDigits(text) ?? text;
    case 'array':
      return text.split(',').map((one) => one.trim());
    default:
      return text;
  }
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
