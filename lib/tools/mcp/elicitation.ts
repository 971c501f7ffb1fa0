import { isRecord, type JsonObject } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';
import type { ItemEnd } from '@/lib/base/pending';
import { err, ok, type Result } from '@/lib/base/result';
import { secretFields } from '@/lib/base/server-form';
import type { Asking } from './server-help';

/** The parameters of `elicitation/create`, which are the same in all protocols. */
export interface ElicitationParams {
  readonly message: string;
  readonly mode?: string | undefined;
  readonly url?: string | undefined;
  readonly requestedSchema?: unknown;
}

export interface Elicited {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | number | boolean | string[]>;
}

const maxMessage = 20_000;
/** The form is recorded and shown, so it must not be large. */
const maxForm = 64 * 1024;

/**
 * Answers what a server asks the user. A person is asked if the project says so and somebody can answer; otherwise the mode of the
 * server decides. An address is never opened here.
 */
export async function answerElicitation(asking: Asking, params: ElicitationParams): Promise<Elicited> {
  const { spec, log, help, waits, mark, signal } = asking;
  const asks = `Server '${spec.name}' asks the user '${params.message}'.`;
  const say = (level: 'info' | 'warning', text: string) => log.write(level, 'server_elicitation', `${asks} ${text}`);
  if (spec.elicitation === 'auto-cancel') {
    say('info', "It was cancelled, as 'elicitation.mode: auto-cancel' says.");
    return { action: 'cancel' };
  }
  if (!spec.asksPeople) {
    say('warning', "It was declined. To let people answer, write 'mcp: {elicitation: ask}' into callboard.yaml.");
    return { action: 'decline' };
  }
  const request = requestOf(params);
  if (!request.ok) {
    say('warning', `It was declined: ${request.error}.`);
    return { action: 'decline' };
  }
  const { form, url } = request.value;
  const secrets = secretFields(form);
  if (secrets.length > 0) say('warning', `It asks for ${secrets.join(', ')}, which a form must not be used for.`);
  const answer = help.ask({
    what: 'question',
    server: {
      serverName: spec.name,
      message: params.message.slice(0, maxMessage),
      ...(url !== undefined && { url }),
      ...(waits && { waits }),
    },
    ...(form && { form }),
    ...(mark !== undefined && { mark }),
    ...(signal && { signal }),
  });
  if (answer === undefined) {
    say('warning', 'It was declined, because nobody can answer in this run.');
    return { action: 'decline' };
  }
  const end = await answer;
  if (signal?.aborted) say('warning', 'The server did not wait for the answer.');
  return elicited(end);
}

function elicited(end: ItemEnd): Elicited {
  if (end.outcome !== 'answered') return { action: 'cancel' };
  const { decision, content } = end.answer;
  switch (decision) {
    case 'approve':
      return { action: 'accept' };
    case 'answer':
      return { action: 'accept', content: isRecord(content) ? contentOf(content) : {} };
    case 'cancel':
      return { action: 'cancel' };
    default:
      return { action: 'decline' };
  }
}

/** Keeps what the protocol allows in an answer. The form allows nothing else. */
function contentOf(content: Record<string, unknown>): NonNullable<Elicited['content']> {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]): [string, string | number | boolean | string[]][] => {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
      return Array.isArray(value) ? [[name, value.map(String)]] : [];
    }),
  );
}

/** What a person is shown. The error completes a sentence after "because". */
function requestOf(params: ElicitationParams): Result<{ readonly form?: JsonObject; readonly url?: string }, string> {
  if (params.mode === 'url') {
    const url = params.url ?? '';
    const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
    return isWeb ? ok({ url: new URL(url).href }) : err('the address is not one of the web');
  }
  const { requestedSchema: schema } = params;
  if (!isObject(schema) || !isObject(schema.properties)) return err('it has no form');
  for (const [name, field] of Object.entries(schema.properties)) {
    if (!isFlat(field)) return err(`field '${name}' is not a text, a number, a yes or no, or a choice`);
  }
  const form: JsonObject = { ...schema, type: 'object', additionalProperties: false };
  if (JSON.stringify(form).length > maxForm) return err('its form is too large');
  const check = schemaCheck(form, 'draft-07');
  return check.ok ? ok({ form }) : err(`its form cannot be used, ${check.error}`);
}

/** The protocol allows one level of fields only. */
function isFlat(field: unknown): boolean {
  if (!isObject(field)) return false;
  if (field.type === 'array')
    return isObject(field.items) && field.items.type !== 'object' && field.items.type !== 'array';
  return typeof field.type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(field.type);
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
