import { type CardField, type FieldGroup, flag, lines, text, type ValueField } from './field-kinds';

/** The fields of a model and its request parameters, for the types of cards that call a model. */

const own = 'model’s own';

const common: readonly CardField[] = [
  number('temperature', 'Temperature', own),
  number('max_tokens', 'Max tokens', own, true),
  { ...number('max_iterations', 'Max iterations', '100', true), hint: 'Model calls in one turn.' },
];

const more: readonly CardField[] = [
  number('top_p', 'Top p', own),
  number('top_k', 'Top k', own, true),
  number('min_p', 'Min p', own),
  number('presence_penalty', 'Presence penalty', own),
  number('frequency_penalty', 'Frequency penalty', own),
  number('repetition_penalty', 'Repetition penalty', own),
  number('streaming_timeout', 'Streaming timeout (s)', 'none'),
  word('service_tier', 'Service tier', ['fast', 'flex'], 'default'),
  yesNo('parallel_tool_calls', 'Parallel tool calls', 'yes'),
  word('tool_result_mode', 'Tool result mode', ['postprocess', 'passthrough', 'selectable'], 'postprocess'),
  word('structured_tool_policy', 'Structured tool policy', ['auto', 'always', 'defer', 'no_tools'], 'auto'),
  yesNo('emit_loop_progress', 'Emit loop progress', 'no'),
  {
    kind: 'strings',
    path: ['request_params', 'stop_sequences'],
    label: 'Stop sequences',
    hint: 'One per line; \\n is a line break.',
  },
  mapping('template_vars', 'Template vars'),
  mapping('mcp_metadata', 'MCP metadata'),
  mapping('metadata', 'Metadata'),
];

const model: CardField = { kind: 'model', path: ['model'], label: 'Model', unset: 'Default model' };

/** Returns the model and the parameters that are set most often. */
export function modelGroup(historyDefault: boolean): FieldGroup {
  return {
    title: 'Model',
    fields: [
      model,
      ...common,
      flag('use_history', 'Use history', historyDefault, 'Each turn reads the turns before it.'),
      flag('human_input', 'Human input', false, 'The agent may ask a person.'),
    ],
  };
}

/** Returns the same for a type without history and questions to people. */
export const plannerModelGroup: FieldGroup = { title: 'Model', fields: [model, ...common] };

/** The other parameters, and all of them as JSON. */
export const parametersGroup: FieldGroup = {
  title: 'Request parameters',
  folded: true,
  fields: [...more, { kind: 'parameters', path: ['request_params'], label: 'All as JSON' }],
};

export const messagesField: CardField = {
  kind: 'files',
  path: ['messages'],
  label: 'Messages',
  hint: 'History files that are read before the first message.',
};

export const messagesGroup: FieldGroup = { title: 'Messages', folded: true, fields: [messagesField] };

export const saveTrajectory = flag('save_trajectory', 'Save trajectory', false);

export const apiKey: ValueField = {
  kind: 'secret',
  path: ['api_key'],
  label: 'API key',
  hint: 'Not used here, and everyone who sees the project sees it. Set the key in Settings, Models and keys.',
};

/** Returns fields that only fast-agent reads. */
export function fastAgentGroup(fields: readonly CardField[]): FieldGroup {
  return { title: 'Only in fast-agent', folded: true, hint: 'These fields have no effect in Callboard.', fields };
}

/** What a remote agent or a person reads about the agent, and its type. */
export function identityGroup(types: readonly string[]): FieldGroup {
  return {
    title: 'Agent',
    fields: [
      { kind: 'choice', path: ['type'], label: 'Type', options: types, unset: 'agent' },
      lines('description', 'Description', { placeholder: 'What a parent reads about this agent' }),
    ],
  };
}

export const roleGroup: FieldGroup = {
  title: 'Role',
  fields: [
    flag('default', 'Default', false, 'Runs start here when no agent is chosen.'),
    flag('tool_only', 'Tool only', false, 'Never an entry; only called by others.'),
  ],
};

export const formatGroup: FieldGroup = {
  title: 'Card format',
  folded: true,
  fields: [{ kind: 'number', path: ['schema_version'], label: 'Schema version', whole: true, placeholder: '1' }],
};

export const cwd = text('cwd', 'Working directory', { placeholder: 'the project’s folder' });

function number(key: string, label: string, placeholder: string, whole = false): ValueField {
  return { kind: 'number', path: ['request_params', key], label, whole, placeholder };
}

function word(key: string, label: string, options: readonly string[], unset: string): CardField {
  return { kind: 'choice', path: ['request_params', key], label, options, unset };
}

function yesNo(key: string, label: string, unset: string): CardField {
  return { kind: 'yes-no', path: ['request_params', key], label, unset };
}

function mapping(key: string, label: string): CardField {
  return { kind: 'json', shape: 'mapping', path: ['request_params', key], label, placeholder: '{}' };
}
