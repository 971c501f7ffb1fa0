import { agent, agents, choice, type FieldGroup, flag, integer, lines, seconds, text } from './field-kinds';
import {
  apiKey,
  fastAgentGroup,
  messagesGroup,
  modelGroup,
  parametersGroup,
  plannerModelGroup,
  saveTrajectory,
} from './parameter-fields';
import { filterGroup, serverFields } from './server-fields';

/** The fields of the workflow types and of remote agents. */

export const chainFields: readonly FieldGroup[] = [
  {
    title: 'Chain',
    fields: [
      { ...agents('sequence', 'Sequence'), repeats: true },
      flag('cumulative', 'Cumulative', false, 'Each agent sees all answers before it.'),
    ],
  },
];

export const parallelFields: readonly FieldGroup[] = [
  {
    title: 'Parallel',
    fields: [
      agents('fan_out', 'Fan out'),
      agent('fan_in', 'Fan in', 'None: the answers are joined as they are'),
      flag('include_request', 'Include request', true, 'The fan-in reads the request before the answers.'),
    ],
  },
];

export const evaluatorFields: readonly FieldGroup[] = [
  {
    title: 'Evaluator and optimizer',
    fields: [
      agent('generator', 'Generator'),
      agent('evaluator', 'Evaluator'),
      choice('min_rating', 'Min rating', ['POOR', 'FAIR', 'GOOD', 'EXCELLENT'], 'GOOD'),
      integer('max_refinements', 'Max refinements', '3', { least: 0 }),
      lines('refinement_instruction', 'Refinement instruction', {
        placeholder: 'What the generator is told with the feedback',
      }),
    ],
  },
  messagesGroup,
];

export const routerFields: readonly FieldGroup[] = [
  { title: 'Router', fields: [agents('agents', 'Agents'), ...serverFields] },
  modelGroup(false),
  parametersGroup,
  filterGroup,
  messagesGroup,
  fastAgentGroup([saveTrajectory, apiKey]),
];

export const orchestratorFields: readonly FieldGroup[] = [
  {
    title: 'Plan',
    fields: [
      agents('agents', 'Agents'),
      choice(
        'plan_type',
        'Plan type',
        ['full', 'iterative'],
        'full',
        'No effect on a run, as in fast-agent: both plan one step at a time.',
      ),
      integer('plan_iterations', 'Plan iterations', '5'),
    ],
  },
  modelGroup(false),
  parametersGroup,
  messagesGroup,
  fastAgentGroup([saveTrajectory, apiKey]),
];

export const iterativePlannerFields: readonly FieldGroup[] = [
  { title: 'Plan', fields: [agents('agents', 'Agents'), integer('plan_iterations', 'Plan iterations', 'no limit')] },
  plannerModelGroup,
  parametersGroup,
  messagesGroup,
  fastAgentGroup([apiKey]),
];

export const makerFields: readonly FieldGroup[] = [
  {
    title: 'Voting',
    fields: [
      agent('worker', 'Worker'),
      integer('k', 'k', '3', { least: 1, hint: 'Votes by which the answer leads.' }),
      integer('max_samples', 'Max samples', '50', { least: 1 }),
      choice('match_strategy', 'Match strategy', ['exact', 'normalized', 'structured'], 'exact'),
      integer('red_flag_max_length', 'Red flag max length', 'no limit', { least: 1 }),
    ],
  },
  messagesGroup,
];

export const remoteFields: readonly FieldGroup[] = [
  {
    title: 'Remote agent',
    fields: [
      text('url', 'URL', { placeholder: 'https://agents.example.com' }),
      choice('transport', 'Transport', ['JSONRPC', 'HTTP+JSON'], 'as the agent offers'),
      seconds('request_timeout_seconds', 'Request timeout', '120'),
      {
        kind: 'pairs',
        path: ['headers'],
        label: 'Headers',
      },
      text('relative_card_path', 'Relative card path', { placeholder: '/.well-known/agent-card.json' }),
      {
        kind: 'words',
        path: ['accepted_output_modes'],
        label: 'Accepted output modes',
        known: ['text/plain', 'text/markdown', 'application/json', 'image/png', 'application/pdf'],
        placeholder: 'every mode',
      },
      flag('streaming', 'Streaming', true, 'Answers arrive while they are written.'),
      flag('polling', 'Polling', false, 'Asks for the state of the task again and again.'),
      {
        kind: 'json',
        shape: 'mapping',
        path: ['auth'],
        label: 'Auth',
        placeholder: '{}',
        hint: 'As fast-agent reads it.',
      },
    ],
  },
];
