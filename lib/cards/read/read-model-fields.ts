import type { JsonObject } from '@/lib/base/json';
import type { GlobFilter } from '@/lib/cards/card';
import { type CardContext, refer, referAll } from './card-context';
import { describeValue } from './describe-value';
import { readFlag, readMapping, readTexts, textEntries } from './fields';
import { readRequestParams } from './read-request-params';

/** These readers are for fields that several card types share. */

export function readModel(card: CardContext): string | undefined {
  const { model } = card.value;
  if (model === undefined || model === null) return undefined;
  if (typeof model !== 'string' || model.trim() === '') {
    const text = `'model' must be a model string, not ${describeValue(model)}. Put it in quotes.`;
    card.report.report('model-invalid', ['model'], text);
    return undefined;
  }
  refer(card, 'model', model, ['model']);
  return model;
}

export function readApiKey(card: CardContext): string | undefined {
  const { api_key: key } = card.value;
  return typeof key === 'string' ? key : undefined;
}

/** Reads a path or a list of paths, relative to the card. */
export function readMessages(card: CardContext): readonly string[] {
  const { messages } = card.value;
  if (typeof messages === 'string' && messages.trim() !== '') {
    refer(card, 'history', messages, ['messages']);
    return [messages];
  }
  return referAll(card, 'history', readTexts(card, 'messages'), 'messages');
}

/** Reads a non-empty list of agents. A missing list is reported with the other required fields. */
export function readMembers(card: CardContext, key: string): readonly string[] {
  const list = card.value[key];
  if (Array.isArray(list) && list.length === 0) {
    card.report.report('missing-field', [key], `'${key}' must name at least one agent. Add one.`);
  }
  return referAll(card, 'agent', readTexts(card, key), key);
}

export function readModelFields(card: CardContext, defaults: { readonly useHistory: boolean }) {
  const useHistory = readUseHistory(card, defaults.useHistory);
  const saveTrajectory = readFlag(card, 'save_trajectory', false);
  if (saveTrajectory && useHistory) {
    const text = "'save_trajectory: true' needs 'use_history: false'. Add it, or remove save_trajectory.";
    card.report.reportKey('trajectory-needs-no-history', ['save_trajectory'], text);
  }
  return {
    model: readModel(card),
    useHistory,
    saveTrajectory,
    requestParams: readParams(card),
    apiKey: readApiKey(card),
    humanInput: readFlag(card, 'human_input', false),
    messages: readMessages(card),
  };
}

export function readParams(card: CardContext): JsonObject {
  const mapping = readMapping(card, 'request_params');
  return mapping === undefined ? {} : readRequestParams(mapping);
}

export function readServerFields(card: CardContext) {
  const servers = referAll(card, 'server', readTexts(card, 'servers'), 'servers');
  return {
    servers,
    tools: readFilter(card, 'tools', servers),
    resources: readFilter(card, 'resources', servers),
    prompts: readFilter(card, 'prompts', servers),
  };
}

function readUseHistory(card: CardContext, fallback: boolean): boolean {
  const { use_history: value } = card.value;
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  const text = `'use_history' is ${describeValue(value)} and is ignored. Write true or false.`;
  card.report.report('use-history-ignored', ['use_history'], text);
  return fallback;
}

function readFilter(card: CardContext, key: string, servers: readonly string[]): GlobFilter {
  const mapping = readMapping(card, key);
  if (mapping === undefined) return {};
  for (const odd of card.report.yaml.oddKeys) {
    if (odd.parent.length !== 1 || odd.parent[0] !== key) continue;
    card.report.reportAt('wrong-type', odd.offset, `Keys of '${key}' must be strings. Put '${odd.key}' in quotes.`);
  }
  const used = new Set([...servers, ...connectedNames(card)]);
  const result: [string, readonly string[]][] = [];
  for (const [server, patterns] of Object.entries(mapping.value)) {
    if (!used.has(server)) {
      const text = `'${key}' filters server '${server}', which the agent does not use. Add it to 'servers' or remove this.`;
      card.report.reportKey('filter-without-server', [key, server], text);
    }
    if (Array.isArray(patterns)) result.push([server, textEntries(card, patterns, [key, server])]);
    else {
      const text = `'${key}.${server}' must be a list of names or patterns, not ${describeValue(patterns)}. Put it in brackets.`;
      card.report.report('wrong-type', [key, server], text);
    }
  }
  return Object.fromEntries(result);
}

function connectedNames(card: CardContext): readonly string[] {
  const { mcp_connect: connect } = card.value;
  if (Array.isArray(connect)) return connect.map((entry: unknown) => nameIn(entry));
  return typeof connect === 'object' && connect !== null ? Object.keys(connect) : [];
}

function nameIn(entry: unknown): string {
  return typeof entry === 'object' && entry !== null && 'name' in entry ? String(entry.name) : '';
}
