import { agents, choice, type FieldGroup, flag, integer, seconds } from './field-kinds';
import {
  apiKey,
  cwd,
  fastAgentGroup,
  messagesField,
  modelGroup,
  parametersGroup,
  saveTrajectory,
} from './parameter-fields';
import { filterGroup, serverFields } from './server-fields';

/** The fields of a plain agent, and its keys in `callboard.yaml`. */

const childrenGroup: FieldGroup = { title: 'Children', fields: [agents('agents', 'Child agents')] };

const delegationGroup: FieldGroup = {
  title: 'Calls of children',
  folded: true,
  hint: 'Options of one child stand on its wire.',
  fields: [
    integer('max_parallel', 'Max parallel', '128', { least: 1 }),
    seconds('child_timeout_sec', 'Child timeout', 'none'),
    choice('history_source', 'History source', ['none', 'messages', 'child', 'orchestrator'], 'none'),
    choice('history_merge_target', 'History merge target', ['none', 'child', 'orchestrator'], 'none'),
    integer('max_display_instances', 'Max display instances', '20', { least: 1, hint: 'Of fast-agent’s terminal.' }),
  ],
};

const toolsGroup: FieldGroup = {
  title: 'Tools',
  fields: [
    ...serverFields,
    { kind: 'functions', path: ['function_tools'], label: 'Function tools', placeholder: 'tools.py:add_one' },
    flag('shell', 'Shell', false, 'May run commands.'),
  ],
};

const skillsGroup: FieldGroup = {
  title: 'Skills',
  folded: true,
  fields: [
    {
      kind: 'skills',
      path: ['skills'],
      label: 'Skills',
      hint: 'Directories with a SKILL.md, or with such directories.',
    },
  ],
};

const connectionsGroup: FieldGroup = {
  title: 'MCP targets',
  folded: true,
  hint: 'Servers of this card alone, beside those of the project.',
  fields: [{ kind: 'connections', path: ['mcp_connect'], label: 'MCP targets' }],
};

const hooksGroup: FieldGroup = {
  title: 'Hooks',
  fields: [
    { kind: 'hooks', path: ['tool_hooks'], label: 'Tool hooks' },
    { kind: 'hooks', path: ['lifecycle_hooks'], label: 'Lifecycle hooks' },
  ],
};

const schemaGroup: FieldGroup = {
  title: 'Input schema',
  folded: true,
  hint: 'What a parent must give when it calls this agent. An edge may have another.',
  fields: [{ kind: 'schema', path: ['tool_input_schema'], label: 'Tool input schema' }],
};

const historyGroup: FieldGroup = {
  title: 'History',
  folded: true,
  fields: [
    messagesField,
    flag(
      'trim_tool_history',
      'Trim tool history',
      false,
      'An ended turn keeps its message, its last calls with their results, and its answer.',
    ),
  ],
};

const onlyFastAgent: FieldGroup = fastAgentGroup([
  saveTrajectory,
  flag('harness_tools', 'Harness tools', false),
  { kind: 'yes-no', path: ['subagents'], label: 'Subagents', unset: 'not set' },
  { kind: 'model', path: ['subagent_model'], label: 'Subagent model', unset: 'The agent’s model' },
  cwd,
  { kind: 'json', shape: 'mapping', path: ['commands'], label: 'Commands', placeholder: '{}' },
  { kind: 'json', shape: 'any', path: ['variables'], label: 'Variables', placeholder: '{}' },
  apiKey,
]);

export const agentFields: readonly FieldGroup[] = [
  childrenGroup,
  delegationGroup,
  toolsGroup,
  hooksGroup,
  modelGroup(true),
  parametersGroup,
  schemaGroup,
  historyGroup,
  skillsGroup,
  filterGroup,
  connectionsGroup,
  onlyFastAgent,
];

/** The keys of one agent in `callboard.yaml`. */
export function settingsFields(name: string): readonly FieldGroup[] {
  const toolset = (...path: string[]) => ['toolsets', name, ...path];
  return [
    {
      title: 'Workers',
      in: 'settings',
      folded: true,
      hint: 'Agents that this agent may call without a wire. In callboard.yaml.',
      fields: [
        {
          kind: 'agents',
          path: toolset('delegation', 'allow_workers'),
          label: 'Allow workers',
          everyone: 'Every agent of the project',
          hint: 'The agents that worker_call may run.',
        },
        {
          kind: 'choice',
          path: toolset('delegation', 'expose_as_tools'),
          label: 'Expose as tools',
          options: ['true', 'only'],
          unset: 'false',
        },
        {
          kind: 'choice',
          path: toolset('delegation', 'create'),
          label: 'Create',
          options: ['never', 'allowed'],
          unset: 'never',
        },
        {
          kind: 'agents',
          path: toolset('worker_tools', 'workers'),
          label: 'Worker tools',
          hint: 'Each is a tool of its own.',
        },
      ],
    },
    {
      title: 'Approvals',
      in: 'settings',
      folded: true,
      hint: 'Whether calls of this agent wait for a person. In callboard.yaml.',
      fields: [
        {
          kind: 'choice',
          path: ['approvals', 'agents', name],
          label: 'Approval of its calls',
          options: ['allow', 'ask', 'deny'],
          unset: 'as the project says',
        },
        {
          ...flag(
            'enable_sub_agent_hitl',
            'Takes over questions',
            false,
            'Children that wait for people are handed to it, in programs that embed the runtime.',
          ),
          path: ['enable_sub_agent_hitl', name],
        },
      ],
    },
    {
      title: 'Tool groups',
      in: 'settings',
      folded: true,
      hint: 'Tools that are offered only while their group is active. In callboard.yaml.',
      fields: [
        {
          ...flag('activation', 'Activation', false, 'Offers activate_tool_groups.'),
          path: ['tool_groups', name, 'activation'],
        },
        { kind: 'groups', path: ['tool_groups', name, 'groups'], label: 'Groups' },
      ],
    },
    findingGroup(name),
  ];
}

function findingGroup(name: string): FieldGroup {
  return {
    title: 'Finding tools',
    in: 'settings',
    folded: true,
    hint: 'Many tools of servers and functions are offered once find_tools found them. In callboard.yaml.',
    fields: [
      {
        kind: 'yes-no',
        path: ['find_tools', 'agents', name, 'enabled'],
        label: 'Finds its tools',
        unset: 'as the project says',
      },
      {
        ...integer('above', 'Above', 'as the project says, or 60', {
          least: 1,
          hint: 'With fewer tools all are offered at once.',
        }),
        path: ['find_tools', 'agents', name, 'above'],
      },
    ],
  };
}
