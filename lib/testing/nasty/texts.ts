import { globMatch } from '@/lib/base/fnmatch';
import { schemaCheck } from '@/lib/base/json-schema';
import { redactText, secretKeys } from '@/lib/base/redact';
import { childToolName } from '@/lib/cards/tool-name';
import { parseAnswer } from '@/lib/runtime/delegation/child-output';
import { createRedactor, redactArguments } from '@/lib/runtime/hook-layers/redact';
import { readHistoryFile } from '@/lib/runtime/instruction/history-file';
import { callState } from '@/lib/runtime/state/call-state';
import { withoutPasswords } from '@/lib/server/log';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { many, type NastyFamily, textFamily } from './family';

/** Inputs that are texts of models, tools and servers, and patterns of folders. */
export const nastyTexts: readonly NastyFamily[] = [
  textFamily(
    'globs of stars',
    4_000,
    (size) => 'a'.repeat(size),
    (text) => globMatch('*a*a*a*a*a*a*a*a*a*a*a*a*a*b', text),
  ),
  textFamily(
    'globs of open brackets',
    60_000,
    (size) => '['.repeat(size),
    (text) => globMatch(text, '['),
  ),
  textFamily(
    'patterns that try everything',
    30_000,
    (size) => `${'a'.repeat(size)}b`,
    (text) => check({ type: 'string', pattern: '^(a+)+$' }, text),
  ),
  textFamily(
    'names that a pattern is asked about',
    30_000,
    (size) => many(size / 40, (i) => `a${'a'.repeat(36)}${i} `),
    (text) =>
      check(
        { patternProperties: { '^(a|aa)+$': false } },
        Object.fromEntries(text.split(' ').map((name) => [name, 1])),
      ),
  ),
  textFamily(
    'items that must differ',
    100_000,
    (size) => JSON.stringify(Array.from({ length: size / 10 }, (_, i) => ({ a: i }))),
    (text) => check({ uniqueItems: true }, JSON.parse(text)),
  ),
  textFamily('answers of code fences', 300_000, (size) => '```json\n'.repeat(size / 8), answer),
  textFamily('answers of closed fences', 300_000, (size) => '```a\n```\n'.repeat(size / 9), answer),
  textFamily('answers of one open fence', 300_000, (size) => `\`\`\`\n${' \n'.repeat(size / 2)}`, answer),
  textFamily('answers of brackets', 300_000, (size) => '['.repeat(size), answer),
  textFamily('arguments encoded twice', 300_000, (size) => '\\"'.repeat(size / 2), hide),
  textFamily('arguments of quotes', 300_000, (size) => '"'.repeat(size), hide),
  textFamily('arguments of backslashes', 300_000, (size) => `"${'\\'.repeat(size)}`, hide),
  textFamily('arguments of keys and spaces', 300_000, (size) => `"a"${' '.repeat(50)}`.repeat(size / 53), hide),
  textFamily('secrets that do not end', 300_000, (size) => '{"token":['.repeat(size / 10), hide),
  textFamily('arguments encoded again and again', 100_000, (size) => nested(size), hide),
  textFamily(
    'arguments that a hook redacts',
    100_000,
    (size) => 'a@'.repeat(size / 2),
    (text) => redactArguments(redactor, { text }),
  ),
  textFamily(
    'list_files of slashes',
    300_000,
    (size) => `a${'/'.repeat(size)}b`,
    (path) => files('list_files', path),
  ),
  textFamily(
    'read_file of dots',
    300_000,
    (size) => '../a/'.repeat(size / 5),
    (path) => files('read_file', path),
  ),
  textFamily(
    'keys of the state',
    60_000,
    (size) => many(size / 8, (i) => `key${i} `),
    (text) => {
      const state = callState({});
      for (const key of text.split(' ')) state.write(key, 1);
      return state.written;
    },
  ),
  textFamily(
    'names of tools',
    300_000,
    (size) => `a${'#'.repeat(size)}b`,
    (name) => childToolName(name, 'agent__'),
  ),
  textFamily('log lines of letters', 300_000, (size) => 'a'.repeat(size), withoutPasswords),
  textFamily('log lines of addresses', 300_000, (size) => 'a://b'.repeat(size / 5), withoutPasswords),
  textFamily(
    'conversations',
    300_000,
    (size) => '---USER\n---RESOURCE\na\n'.repeat(size / 22),
    (text) => readHistoryFile('a.txt', text, new Map()),
  ),
];

const isSecret = secretKeys();
const answerSchema = { type: 'object', properties: { a: { type: 'string' } } };
const redactor = createRedactor({
  kind: 'redact',
  patterns: ['(a|@)*b', '[a-z]+@[a-z]+\\.com'],
  keys: ['password'],
  in: 'both',
  replacement: '*',
});

function check(schema: Parameters<typeof schemaCheck>[0], value: unknown): unknown {
  const made = schemaCheck(schema, 'draft-07');
  if (!made.ok) throw new Error(made.error);
  return made.value(value).length;
}

function answer(text: string): unknown {
  return parseAnswer(answerSchema, text).ok;
}

function hide(text: string): unknown {
  return redactText(text, isSecret).length;
}

/** Makes JSON inside strings inside JSON. Each level doubles the backslashes. */
function nested(size: number): string {
  let text = '{"api_key":"k"}';
  while (text.length * 2 < size) text = JSON.stringify({ a: text });
  return text;
}

/** Makes a whole run with one call, whose arguments are also recorded, redacted and shown. */
async function files(tool: string, path: string): Promise<unknown> {
  const model = scriptedModel({ solo: [{ calls: [{ tool, arguments: { path } }] }, 'end'] });
  const parsed = graphOf('solo', { settings: { runtime_tools: { files: true } } });
  const { sink } = await runGraph({ parsed, model, folder: new Map([['a', { kind: 'text', text: '' }]]) });
  return sink.of('tool.ended').length;
}
