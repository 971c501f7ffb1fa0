import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ProjectEnv } from '@/lib/base/project-env';
import { fillVariables, type VariableUse, variablesIn } from '@/lib/base/variables';
import type { AgentCard, Card, EvaluatorOptimizerCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';

/**
 * Fills `${NAME}` and `${NAME:default}` in the front matter of cards and in YAML cards, as fast-agent does
 * (agent_card_loader.py). The body of a Markdown card is not filled. Only texts for models and people and parts of requests
 * are filled: `description`, `instruction`, `model`, `request_params`, `tool_input_schema`. Names, files and code stay as
 * written, because a person has confirmed them. `mcp_connect` is filled when a server is connected.
 */
type Texts = Partial<Pick<AgentCard, 'description' | 'instruction' | 'model' | 'requestParams' | 'toolInputSchema'>> &
  Partial<Pick<EvaluatorOptimizerCard, 'refinementInstruction'>>;

/** Returns the variables in a card, in order. Those of a remote agent's request are filled when it is connected. */
export function variablesOfCard(folder: Folder, card: Card): readonly VariableUse[] {
  const found: VariableUse[] = [];
  mapTexts(folder, card, (text) => {
    found.push(...variablesIn(text));
    return text;
  });
  return found;
}

/** Returns the parsed folder for a run. A variable with neither a value nor a default stays as written. */
export function fillCardVariables(folder: Folder, parsed: ParsedFolder, env: ProjectEnv): ParsedFolder {
  const textFor = ({ name, fallback }: VariableUse) =>
    (Object.hasOwn(env, name) ? env[name] : undefined) ?? fallback ?? `\${${name}}`;
  const cards = parsed.cards.map((card): Card => {
    const texts = mapTexts(folder, card, (text) => fillVariables(text, textFor));
    return { ...card, ...texts };
  });
  return { ...parsed, cards };
}

/** The fields that the type of the card has. */
function mapTexts(folder: Folder, card: Card, change: (text: string) => string): Texts {
  const { description, instruction } = card;
  const some = (text: string | undefined) => (text?.includes('${') ? change(text) : text);
  return {
    description: some(description),
    instruction: instruction?.includes('${') && isField(folder, card.file) ? change(instruction) : instruction,
    ...('model' in card && { model: some(card.model) }),
    ...('requestParams' in card && { requestParams: mapObject(card.requestParams, change) }),
    ...('toolInputSchema' in card && {
      toolInputSchema: card.toolInputSchema && mapObject(card.toolInputSchema, change),
    }),
    ...('refinementInstruction' in card && { refinementInstruction: some(card.refinementInstruction) }),
  };
}

/** True if the instruction of a card is a YAML field, not the body of a Markdown card. */
function isField(folder: Folder, path: string): boolean {
  const file = folder.get(path);
  const yaml = file?.kind === 'text' ? splitSource(path, file.text).yaml : undefined;
  const value = yaml === undefined ? undefined : parseYaml(yaml).value;
  return isMapping(value) && typeof value.instruction === 'string';
}

function mapObject(value: JsonObject, change: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapJson(one, change)]));
}

function mapJson(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return value.includes('${') ? change(value) : value;
  if (Array.isArray(value)) return value.map((one: Json) => mapJson(one, change));
  return isObject(value) ? mapObject(value, change) : value;
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
