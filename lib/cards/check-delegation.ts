import type { Issue } from '@/lib/base/issue';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { Card } from './card';
import { delegationSchemas } from './delegation-schemas';
import { delegationOptions } from './delegation-settings';
import { type FileReport, makeIssue } from './file-report';
import type { IssueCode } from './issue-codes';
import type { Settings } from './settings';
import type { Path } from './yaml-source';

/** Options of one delegation that cannot do what they say. */
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
  const add = (code: IssueCode, key: string, message: string) =>
    issues.push(makeIssue(code, { file: report.file, ...report.keyPlaceOf([...path, key]), agent: parent }, message));

  const problem = options.input_schema && inputSchemaProblem(options.input_schema);
  if (problem !== undefined) add('delegation-schema', 'input_schema', `'input_schema' ${problem}`);
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
    const text = `'${child.name}' goes on with its conversation here, so an earlier answer cannot stand for a new one: 'cache' does nothing. Remove one of them.`;
    add('cache-ignored', 'cache', text);
  }
  return issues;
}

/** The rules of a card's own `tool_input_schema`. */
function inputSchemaProblem(schema: JsonObject): string | undefined {
  if (schema.type !== 'object') return "must have 'type: object'.";
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties)) return "must have a mapping of 'properties'.";
  if (!Array.isArray(required)) return "must have a list of names as 'required'.";
  const missing = required.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  return missing === undefined ? undefined : `requires '${String(missing)}', which 'properties' does not define.`;
}

function isAskedForSchema(settings: Settings, agent: string): boolean {
  return Object.values(settings.delegations).some(
    (children) => Object.hasOwn(children, agent) && children[agent]?.output_schema !== undefined,
  );
}
