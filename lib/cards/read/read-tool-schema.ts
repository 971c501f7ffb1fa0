import { withNumbers } from '@/lib/base/exact-json';
import type { JsonObject } from '@/lib/base/json';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import type { CardContext } from './card-context';
import { describeValue, toJson } from './describe-value';
import { describeSchemaFault, jsonSchemaFault } from './json-schema-fault';

/** Reads `tool_input_schema`: an object schema in which all required names exist. */
export function readToolSchema(card: CardContext): JsonObject | undefined {
  const schema = card.value.tool_input_schema ?? undefined;
  if (schema === undefined) return undefined;
  const before = card.report.issues.length;
  const refuse = (path: Path, text: string) =>
    card.report.report('schema-invalid', ['tool_input_schema', ...path], `'tool_input_schema': ${text}`);
  if (!isMapping(schema)) {
    refuse([], `must be a mapping, not ${describeValue(schema)}. Write a JSON schema with type: object.`);
    return undefined;
  }
  if (schema.type !== 'object') refuse(['type'], `'type' must be object, not ${describeValue(schema.type)}.`);
  const properties = schema.properties ?? {};
  const required = schema.required ?? [];
  const additionalProperties = schema.additionalProperties ?? undefined;
  if (!isMapping(properties))
    refuse(['properties'], `'properties' must be a mapping, not ${describeValue(properties)}.`);
  else {
    for (const [name, property] of Object.entries(properties)) {
      if (!isMapping(property))
        refuse(['properties', name], `property '${name}' must be a mapping, not ${describeValue(property)}.`);
    }
  }
  if (!Array.isArray(required))
    refuse(['required'], `'required' must be a list of names, not ${describeValue(required)}.`);
  else checkRequired(card, required, isMapping(properties) ? properties : {}, refuse);
  if (
    additionalProperties !== undefined &&
    typeof additionalProperties !== 'boolean' &&
    !isMapping(additionalProperties)
  ) {
    refuse(['additionalProperties'], "'additionalProperties' must be true, false or a schema.");
  }
  const isValid = !card.report.issues.slice(before).some((issue) => issue.severity === 'error');
  if (!isValid) return undefined;
  const json = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNumbers(toJson(value))]));
  const fault = jsonSchemaFault(json);
  if (!fault) return json;
  const text = `'tool_input_schema' cannot be used: ${describeSchemaFault(fault)}. Correct it.`;
  card.report.reportKey('schema-unusable', ['tool_input_schema', ...fault.path], text);
  return undefined;
}

function checkRequired(
  card: CardContext,
  required: readonly unknown[],
  properties: Readonly<Record<string, unknown>>,
  refuse: (path: Path, text: string) => void,
): void {
  for (const [index, name] of required.entries()) {
    if (typeof name !== 'string') {
      refuse(['required', index], `'required' lists names, not ${describeValue(name)}.`);
      continue;
    }
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      refuse(['required', index], `requires '${name}', which 'properties' does not define.`);
    } else if (
      isMapping(property) &&
      (typeof property.description !== 'string' || property.description.trim() === '')
    ) {
      const text = `Required property '${name}' has no description, so the model has to guess. Add one.`;
      card.report.reportKey('schema-description', ['tool_input_schema', 'properties', name], text);
    }
  }
}
