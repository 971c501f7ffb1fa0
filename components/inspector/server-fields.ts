import type { CardField, FieldGroup } from './field-kinds';

/** The fields of MCP servers, for the types of cards that use them. */

const patternsHint = 'The server was not tested yet: type names or patterns such as find_*.';

export const serverFields: readonly CardField[] = [
  { kind: 'servers', path: ['servers'], label: 'MCP servers' },
  { kind: 'filter', path: ['tools'], label: 'Tools', hint: patternsHint },
];

export const filterGroup: FieldGroup = {
  title: 'Resources and prompts',
  folded: true,
  fields: [
    { kind: 'filter', path: ['resources'], label: 'Resources', hint: patternsHint },
    { kind: 'filter', path: ['prompts'], label: 'Prompts', hint: patternsHint },
  ],
};

/** The keys of one entry of `mcp_connect`, relative to the entry. */
export const connectionFields: readonly CardField[] = [
  { kind: 'text', path: ['target'], label: 'Target', placeholder: 'https://example.com/mcp or npx package' },
  { kind: 'text', path: ['description'], label: 'Description' },
  { kind: 'pairs', path: ['headers'], label: 'Headers' },
  { kind: 'secret', path: ['access_token'], label: 'Access token' },
  {
    kind: 'choice',
    path: ['protocol_mode'],
    label: 'Protocol mode',
    options: ['auto', 'modern', 'legacy'],
    unset: 'auto',
  },
  { kind: 'choice', path: ['management'], label: 'Management', options: ['client', 'provider'], unset: 'client' },
  { kind: 'text', path: ['connector_id'], label: 'Connector id' },
  { kind: 'flag', path: ['defer_loading'], label: 'Defer loading', fallback: false },
  { kind: 'json', path: ['auth'], label: 'Auth', shape: 'any', placeholder: '{}' },
];
