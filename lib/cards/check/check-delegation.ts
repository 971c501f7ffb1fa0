import type { Issue } from '@/lib/base/issue';
import { isRecord, type JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import type { Card } from '@/lib/cards/card';
import { delegationSchemas } from '@/lib/cards/delegation-schemas';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { IssueCode } from '@/lib/cards/issue-codes';
import { type FileReport, makeIssue } from '@/lib/cards/read/file-report';
import { describeSchemaFault, jsonSchemaFault } from '@/lib/cards/read/json-schema-fault';
import type { Settings } from '@/lib/cards/settings';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/** Reports options of one delegation that cannot have an effect. */
export function checkDelegation(
  settings: Settings,
  report: FileReport,
  parent: string,
  child: Card | undefined,
  cards: ReadonlyMap<string, Card>,
): Issue[] {
  if (!child) return [];
  const issues: Issue[] = [];
  const options = delegationOptions(settings, parent, child.name);
  const path: Path = ['delegations', parent, child.name];
  const addAt = (code: IssueCode, at: Path, message: string) =>
    issues.push(makeIssue(code, { file: report.file, ...report.keyPlaceOf([...path, ...at]), agent: parent }, message));
  const add = (code: IssueCode, key: string, message: string) => addAt(code, [key], message);

  for (const key of ['input_schema', 'output_schema'] as const) {
    const schema = options[key];
    if (!schema) continue;
    const fault = jsonSchemaFault(schema);
    if (fault) {
      const text = `'${key}' cannot be used: ${describeSchemaFault(fault)}. Correct it.`;
      addAt('delegation-schema', [key, ...fault.path], text);
    } else if (key === 'input_schema') {
      const problem = inputSchemaProblem(schema);
      if (problem !== undefined) add('delegation-schema', key, `'${key}' ${problem}`);
    }
  }
  const schemas = delegationSchemas(settings, parent, child, cards);
  if (options.input_mode === 'schema' && schemas.input === undefined) {
    const text = `Input mode 'schema', but neither the delegation nor '${child.name}' has a schema: it is called by text_json. Add 'input_schema'.`;
    add('schema-missing', 'input_mode', text);
  }
  if (options.skip_summarization && isAskedForSchema(settings, parent)) {
    const text = `'${parent}' must answer by an output_schema itself, so 'skip_summarization' does nothing here. Remove one of them.`;
    add('skip-ignored', 'skip_summarization', text);
  }
  const hasMemory = (options.session ?? 'none') !== 'none' || options.isolation === 'shared';
  if (options.cache && hasMemory) {
    const text = `'${child.name}' continues its conversation here, so an earlier answer cannot replace a new one: 'cache' does nothing. Remove one of them.`;
    add('cache-ignored', 'cache', text);
  }
  return issues;
}

/** Applies the rules for `tool_input_schema` of cards. */
function inputSchemaProblem(schema: JsonObject): string | undefined {
  if (schema.type !== 'object') return "must have 'type: object'.";
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties)) return "must have a mapping of 'properties'.";
  if (!Array.isArray(required)) return "must have a list of names as 'required'.";
  const missing = required.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  return missing === undefined ? undefined : `requires '${String(missing)}', which 'properties' does not define.`;
}

function isAskedForSchema(settings: Settings, agent: string): boolean {
  return agentsWithSchema(settings).has(agent);
}

/** Returns the agents whose answer must match a schema for at least one parent. */
const agentsWithSchema = oncePer(
  ({ delegations }: Settings) =>
    new Set(
      Object.values(delegations).flatMap((children) =>
        Object.entries(children).flatMap(([name, options]) => (options.output_schema === undefined ? [] : [name])),
      ),
    ),
);
