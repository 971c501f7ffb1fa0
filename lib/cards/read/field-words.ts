// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what a person writes in a card

/** What the value of a field is, so that an editor can offer names. */
export type ValueKind =
  | 'agent'
  | 'server'
  | 'tool'
  | 'function'
  | 'middleware'
  | 'phase'
  | 'model'
  | 'skill'
  | 'file'
  | 'boolean';

/** Words about one field of a card, for help in the editor. */
export interface FieldWords {
  /** One or two sentences, as in the docs. */
  readonly text: string;
  /** The kind of the value, or of the entries when `list` is true. */
  readonly of?: ValueKind;
  readonly list?: true;
  /** All allowed values. */
  readonly options?: readonly string[];
  /** The kind of the keys of a mapping. */
  readonly keys?: ValueKind;
  /** The fields of a mapping. */
  readonly fields?: Readonly<Record<string, FieldWords>>;
  /** The value of each key of a mapping, or each entry of a list that holds more than names. */
  readonly each?: FieldWords;
}

const flag = (text: string): FieldWords => ({ text, of: 'boolean' });
const agents = (text: string): FieldWords => ({ text, of: 'agent', list: true });
const agent = (text: string): FieldWords => ({ text, of: 'agent' });
const phase = (text: string): FieldWords => ({ text, of: 'phase' });
const filter = (what: string): FieldWords => ({
  text: `The ${what} that the agent may use of each server, as patterns without prefix. A server that is not named offers all; an empty list allows none.`,
  keys: 'server',
  each: { text: `Patterns for ${what}, such as get_*.`, of: 'tool', list: true },
});

/** Every field of every card type. A test keeps it complete (card-fields.ts says which type has which field). */
export const fieldWords: Readonly<Record<string, FieldWords>> = {
  type: {
    text: 'What the card is: an agent (default), one of the workflows, or a remote agent (a2a).',
    options: [
      'agent',
      'chain',
      'parallel',
      'evaluator_optimizer',
      'router',
      'orchestrator',
      'iterative_planner',
      'MAKER',
      'a2a',
    ],
  },
  name: {
    text: 'The name by which other cards, runs and tools refer to the agent. The default is the name of the file.',
  },
  instruction: { text: 'The system prompt. A Markdown card has it below the front matter instead.' },
  description: { text: 'What a parent, a router or a planner reads about the agent when it chooses whom to call.' },
  default: flag('Runs start with this agent when no other is named. One card of a project may say so.'),
  tool_only: flag('The agent is only called by others and is never the entry of a run.'),
  schema_version: { text: 'The version of the card format. The default is 1.' },
  model: {
    text: 'The model, such as openai.gpt-5, or a $namespace.key of model_references. The default is default_model.',
    of: 'model',
  },
  use_history: flag('The agent keeps its messages from one turn to the next.'),
  save_trajectory: flag('Keeps what the agent did as a file. It needs use_history: false.'),
  request_params: {
    text: 'Parameters of the model calls.',
    fields: {
      temperature: { text: 'How freely the model chooses its words.' },
      max_tokens: { text: 'The most tokens of one answer.' },
      max_iterations: { text: 'The most model calls of one turn. The default is 100.' },
      top_p: { text: 'The share of likely words from which the model chooses.' },
      top_k: { text: 'The number of likely words from which the model chooses.' },
      parallel_tool_calls: flag('The model may ask for several tool calls at once.'),
      stop_sequences: { text: 'Texts at which an answer ends.', list: true },
      template_vars: { text: 'Values for placeholders of the instruction.' },
    },
  },
  human_input: flag('The agent may ask a person during a run.'),
  api_key: { text: 'The key for the model. Write a variable such as ${NAME}, not the key itself.' },
  messages: {
    text: 'Files with messages that come before the first turn, relative to the card.',
    of: 'file',
    list: true,
  },
  servers: {
    text: 'The MCP servers whose tools the agent is offered. fast-agent.yaml configures them.',
    of: 'server',
    list: true,
  },
  tools: filter('tools'),
  resources: filter('resources'),
  prompts: filter('prompts'),
  history_source: {
    text: 'The history that children begin with. callboard.yaml can set it for each edge.',
    options: ['none', 'messages', 'child', 'orchestrator'],
  },
  history_merge_target: {
    text: 'Where the messages of a child go when it ends.',
    options: ['none', 'child', 'orchestrator'],
  },
  max_parallel: { text: 'The most children that run at the same time. The default is 128.' },
  child_timeout_sec: { text: 'The time limit of each child, in seconds. There is none by default.' },
  max_display_instances: { text: 'How many instances fast-agent shows. It has no effect in Callboard.' },
  agents: agents(
    'The agents that this one can call, each as a tool. In routers and planners: those among whom it chooses.',
  ),
  subagents: flag('Offers a tool that starts further agents. It has an effect in fast-agent only.'),
  subagent_model: { text: 'The model of such agents.', of: 'model' },
  harness_tools: flag("Offers fast-agent's harness tools. It has no effect in Callboard."),
  mcp_connect: {
    text: 'MCP servers that the card brings itself.',
    list: true,
    each: {
      text: 'A server of the card.',
      fields: {
        name: { text: 'The name of the server. The default comes from the target.' },
        target: { text: 'A URL, a package (@scope/package) or a command line.' },
        description: { text: 'What the server is for.' },
        headers: { text: 'HTTP headers. Write secrets as ${NAME}.' },
      },
    },
  },
  skills: {
    text: 'Directories with a SKILL.md that the agent may read. An empty list means none.',
    of: 'skill',
    list: true,
  },
  function_tools: {
    text: 'Functions of the project that the agent is offered as tools, as file.py:function, relative to the card.',
    of: 'function',
    list: true,
  },
  tool_hooks: {
    text: 'As a list: middleware that wraps every tool call, the outermost first. As a mapping: one function for each phase.',
    of: 'middleware',
    list: true,
    fields: {
      before_llm_call: phase('Runs before each model call.'),
      after_llm_call: phase('Runs after each model call.'),
      before_tool_call: phase('Runs before the tool calls of a message.'),
      after_tool_call: phase('Runs after the tool calls of a message.'),
      after_turn_complete: phase('Runs at the end of a turn.'),
    },
  },
  lifecycle_hooks: {
    text: 'Functions that run once for each instance.',
    fields: { on_start: phase('Runs before the first turn.'), on_shutdown: phase('Runs at the end.') },
  },
  commands: { text: "Commands of fast-agent's prompt. They have no effect in Callboard." },
  trim_tool_history: flag('After each turn only its message, the last tool call and the answer stay in the history.'),
  tool_input_schema: { text: 'The JSON schema of the arguments with which a parent calls this agent.' },
  shell: flag('The agent may run commands, if an administrator allows it.'),
  cwd: { text: 'The working folder. It has no effect in Callboard.' },
  variables: { text: 'Variables of the card, which an installation lists.' },
  sequence: agents('The agents in the order in which they work. Each gets the answer of the one before.'),
  cumulative: flag('Each agent of the chain sees all answers before it.'),
  fan_out: agents('The agents that work at the same time on the same request.'),
  fan_in: agent('The agent that makes one answer of all. Without it the answers are joined as they are.'),
  include_request: flag('The fan-in reads the request before the answers. The default is true.'),
  generator: agent('The agent that writes and improves the answer.'),
  evaluator: agent('The agent that rates the answer.'),
  min_rating: {
    text: 'The rating at which the answer is good enough.',
    options: ['POOR', 'FAIR', 'GOOD', 'EXCELLENT'],
  },
  max_refinements: { text: 'The most improvements. The default is 3.' },
  refinement_instruction: { text: 'What the generator is told with the feedback.' },
  plan_type: { text: 'full plans all steps at once, iterative one after the other.', options: ['full', 'iterative'] },
  plan_iterations: { text: 'The most rounds of planning.' },
  worker: agent('The agent whose answers are compared.'),
  k: { text: 'By how many votes an answer has to lead. The default is 3.' },
  max_samples: { text: 'The most answers that are asked for. The default is 50.' },
  match_strategy: { text: 'When two answers count as equal.', options: ['exact', 'normalized', 'structured'] },
  red_flag_max_length: { text: 'A longer answer is not counted.' },
  url: { text: 'The address of the remote agent.' },
  transport: {
    text: 'How to talk to the remote agent. The default is what it offers.',
    options: ['JSONRPC', 'HTTP+JSON'],
  },
  streaming: flag('Answers arrive while they are written. The default is true.'),
  polling: flag('Asks for the state of the task again and again.'),
  accepted_output_modes: { text: 'The media types that the agent may answer with.', list: true },
  headers: { text: 'HTTP headers. Write secrets as ${NAME}.' },
  auth: { text: 'How to sign in at the remote agent.' },
  relative_card_path: { text: 'The path of its agent card. The default is /.well-known/agent-card.json.' },
  request_timeout_seconds: { text: 'The time limit of a request. The default is 120.' },
};

const server: FieldWords = {
  text: 'One MCP server.',
  fields: {
    transport: { text: 'stdio starts a command; http and sse call a URL.', options: ['stdio', 'http', 'sse'] },
    target: { text: 'Short form: a URL, a package (@scope/package) or a command line.' },
    command: { text: 'The program of a stdio server.' },
    args: { text: 'The arguments of the command, one per entry.', list: true },
    url: { text: 'The address of an HTTP server.' },
    env: { text: 'Environment variables of the command. Write secrets as ${NAME}.' },
    headers: { text: 'HTTP headers. Write secrets as ${NAME}.' },
    cwd: { text: 'The working folder of the command.' },
    access_token: { text: 'A bearer token. Write it as ${NAME}.' },
    description: { text: 'What the server is for.' },
    read_timeout_seconds: { text: 'How long a request may take.' },
    include_instructions: flag("The server's instructions become part of the system prompt. The default is true."),
    load_on_start: flag('Connects when a run begins. The default is true.'),
    reconnect_on_disconnect: flag('Opens a lost connection again. The default is true.'),
    ping_interval_seconds: { text: 'Seconds between pings. 0 means none.' },
    max_missed_pings: { text: 'The connection ends after this many unanswered pings.' },
    protocol_mode: {
      text: 'The protocols that are tried. The default is auto.',
      options: ['auto', 'modern', 'legacy'],
    },
    elicitation: {
      text: 'What happens when the server asks a person.',
      fields: { mode: { text: 'How questions are answered.', options: ['forms', 'auto-cancel', 'none'] } },
    },
    sampling: {
      text: 'What happens when the server asks for a model.',
      fields: { model: { text: 'The model that answers.', of: 'model' } },
    },
    roots: { text: 'Folders that the server is told of: uri, name.', list: true },
  },
};

/** The keys of fast-agent.yaml that Callboard reads. */
export const configWords: FieldWords = {
  text: '',
  fields: {
    default_model: { text: 'The model of every agent whose card names none.', of: 'model' },
    model_references: {
      text: 'Names for models: $namespace.key in a card.',
      each: { text: 'A namespace.', each: { text: 'A model string.', of: 'model' } },
    },
    mcp: {
      text: 'MCP servers.',
      fields: { servers: { text: 'The servers by name. Cards refer to them under servers.', each: server } },
    },
    elicitation: {
      text: 'What happens when a server asks a person, unless the server says otherwise.',
      fields: { mode: { text: 'How questions are answered.', options: ['forms', 'auto-cancel', 'none'] } },
    },
  },
};
