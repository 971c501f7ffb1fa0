import { describe, expect, it } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';

/** A folder of cards by name, each with these front matter lines. */
function folderOf(cards: Readonly<Record<string, string>>, settings = ''): Folder {
  const files = new Map<string, { readonly kind: 'text'; readonly text: string }>();
  for (const [name, lines] of Object.entries(cards)) {
    files.set(`agent-cards/${name}.md`, { kind: 'text', text: `---\nname: ${name}\n${lines}\n---\nDo it.\n` });
  }
  if (settings !== '') files.set('callboard.yaml', { kind: 'text', text: `version: 1\n${settings}\n` });
  files.set('agent-cards/tools.py', { kind: 'text', text: 'def agent__kid(x: int): ...\ndef kid(x: int): ...\n' });
  return files;
}

function found(cards: Readonly<Record<string, string>>, settings = ''): string[] {
  const quiet = ['settings-unused-delegation', 'schema-description'];
  return readFolder(folderOf(cards, settings))
    .issues.filter(({ code }) => !quiet.includes(code))
    .map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

const next = "Give the delegation another 'tool_name' in callboard.yaml, or rename the agent.";

describe('names of tools', () => {
  it('a child and a function tool of one name are an error that names both', () => {
    const cards = { lead: 'agents: [kid]\nfunction_tools: ["tools.py:agent__kid"]', kid: '' };
    expect(found(cards)).toEqual([
      `error tool-name-clash: Child 'kid' and the function tool 'tools.py:agent__kid' would both be offered as 'agent__kid'. ${next}`,
    ]);
    expect(found(cards, 'tool_naming: plain')).toEqual([]);
  });

  it('two children of one tool name are an error', () => {
    const cards = { lead: 'agents: [kid, pal]', kid: '', pal: '' };
    const settings = 'delegations:\n  lead:\n    kid: {tool_name: ask}\n    pal: {tool_name: ask}';
    expect(found(cards, settings)).toEqual([
      `error tool-name-clash: Child 'pal' and the child 'kid' would both be offered as 'ask'. ${next}`,
    ]);
  });

  it('built-in tools keep their names: some always, others where they are offered', () => {
    const cards = {
      lead: 'agents: [worker_call, read_file, set_state]',
      worker_call: '',
      read_file: '',
      set_state: '',
    };
    expect(found(cards, 'tool_naming: plain').map((line) => line.split(':')[0])).toEqual(['error tool-name-reserved']);
    const on = 'tool_naming: plain\nruntime_tools: {files: true, state: true}';
    expect(found(cards, on).map((line) => line.split(':')[0])).toEqual([
      'error tool-name-reserved',
      'error tool-name-clash',
      'error tool-name-clash',
    ]);
  });

  it('external tools have no name that Callboard keeps for itself, nor that of a built-in tool of their agent', () => {
    const settings = (name: string, more = '') =>
      `external_tools: {${name}: {description: Ask., agents: [lead]}}${more}`;
    for (const name of ['find_tools', 'worker_call', 'worker_create', 'activate_tool_groups']) {
      expect(found({ lead: '' }, settings(name))).toEqual([
        `error tool-name-reserved: External tool '${name}' has a name that Callboard keeps for itself. Rename it.`,
      ]);
    }
    expect(found({ lead: '' }, settings('set_state'))).toEqual([]);
    expect(found({ lead: '' }, settings('set_state', '\nruntime_tools: {state: true}'))).toEqual([
      "error tool-name-clash: External tool 'set_state' and the built-in tool 'set_state' would both be offered to agent 'lead'. Rename the external tool.",
    ]);
    expect(found({ lead: 'model: gpt-5?web_search=on' }, settings('web_search'))).toEqual([
      "error tool-name-clash: External tool 'web_search' and the provider's tool 'web_search' would both be offered to agent 'lead'. Rename the external tool.",
    ]);
  });

  it('function tools clash with each other and with built-in tools', () => {
    const tools = ['tools.py:kid', 'more.py:kid', 'tools.py:kid', 'tools.py:worker_call', 'tools.py:set_state'];
    const cards = { lead: `function_tools: [${tools.map((tool) => `"${tool}"`).join(', ')}]` };
    const names = (settings: string) => found(cards, settings).filter((line) => line.includes('tool-name'));
    const clash =
      "error tool-name-clash: Function tool 'more.py:kid' and the function tool 'tools.py:kid' would both be offered as 'kid'. Rename the function.";
    const twice = "error tool-name-clash: Function tool 'tools.py:kid' is listed twice. Remove one.";
    const kept =
      "error tool-name-reserved: Function tool 'tools.py:worker_call' would be offered as 'worker_call', a name that Callboard keeps for itself. Rename the function.";
    expect(names('')).toEqual([clash, twice, kept]);
    expect(names('runtime_tools: {state: true}')).toEqual([
      clash,
      twice,
      kept,
      "error tool-name-clash: Function tool 'tools.py:set_state' and the built-in tool 'set_state' would both be offered as 'set_state'. Rename the function.",
    ]);
  });

  it('workers clash with built-in tools, functions, children and each other', () => {
    const cards = {
      lead: 'agents: [pal]\nfunction_tools: ["tools.py:kid"]\ndefault: true',
      kid: '',
      pal: '',
      sum: '',
      rev: '',
      worker_create: '',
      get_state: '',
      fine: '',
    };
    const settings = [
      'tool_naming: plain',
      'runtime_tools: {state: true}',
      'toolsets:',
      '  lead: {delegation: {allow_workers: ["*"], expose_as_tools: true}}',
      'delegations:',
      '  lead:',
      '    sum: {tool_name: ask}',
      '    rev: {tool_name: ask}',
      '    fine: {tool_name: pal}',
    ].join('\n');
    const lines = found(cards, settings).filter((line) => line.includes('tool-name'));
    expect(lines.map((line) => line.replace(/ Give .*/, '')).toSorted()).toEqual([
      "error tool-name-clash: Worker 'fine' of 'lead' and the child 'pal' would both be offered as 'pal'.",
      "error tool-name-clash: Worker 'get_state' of 'lead' and the built-in tool 'get_state' would both be offered as 'get_state'.",
      "error tool-name-clash: Worker 'kid' of 'lead' and the function tool 'tools.py:kid' would both be offered as 'kid'.",
      "error tool-name-clash: Worker 'sum' of 'lead' and the worker 'rev' would both be offered as 'ask'.",
      "error tool-name-reserved: Worker 'worker_create' of 'lead' would be offered as 'worker_create', a name that Callboard keeps for itself.",
    ]);
    expect(
      found(cards, settings.replace(', expose_as_tools: true', '')).filter((l) => l.includes('tool-name')),
    ).toEqual([]);
  });

  it('web_search clashes only while the provider offers it', () => {
    const cards = (model: string) => ({ lead: `model: ${model}\nagents: [web_search]`, web_search: '' });
    expect(found(cards('gpt-5'), 'tool_naming: plain')).toEqual([]);
    expect(found(cards('gpt-5?web_search=on'), 'tool_naming: plain')).toHaveLength(1);
  });

  it('41 children are worth a warning, 40 are not', () => {
    const names = Array.from({ length: 41 }, (_, index) => `kid${index}`);
    const cards = (count: number) => ({
      lead: `agents: [${names.slice(0, count).join(', ')}]`,
      ...Object.fromEntries(names.slice(0, count).map((name) => [name, ''])),
    });
    expect(found(cards(40))).toEqual([]);
    expect(found(cards(41))[0]).toMatch(/^warning many-tools: Agent 'lead' has 41 children/);
  });

  it('41 function tools are worth a warning, unless the agent finds them', () => {
    const names = Array.from({ length: 41 }, (_, index) => `tools.py:f${index}`);
    const cards = { lead: `function_tools: [${names.join(', ')}]` };
    const many = (settings?: string) => found(cards, settings).filter((line) => line.includes('many-tools'));
    expect(many()).toHaveLength(1);
    expect(many('find_tools: {enabled: true, above: 40}')).toEqual([]);
    expect(many('find_tools: {enabled: true, above: 41}')).toHaveLength(1);
  });
});

describe('cycles', () => {
  const cards = { a: 'agents: [b]', b: 'agents: [a]' };

  it('are an error', () => {
    expect(found(cards)[0]).toMatch(/^error cycle: /);
    expect(found(cards, 'delegations: {a: {b: {recursive: true}}}')[0]).toMatch(/^error cycle: /);
  });

  it('are allowed, with a warning for fast-agent, where every delegation is marked recursive', () => {
    expect(found(cards, 'delegations: {a: {b: {recursive: true}}, b: {a: {recursive: true}}}')).toEqual([
      'warning recursive-cycle: a -> b -> a is a cycle of recursive delegations: it ends at the depth limit here, and fast-agent refuses it.',
    ]);
    expect(found({ a: 'agents: [a]' }, 'delegations: {a: {a: {recursive: true}}}')).toHaveLength(1);
  });

  it('are found through workers too, and the message names the option', () => {
    const settings = (more = '') =>
      `toolsets: {a: {delegation: {allow_workers: [b]}}, b: {worker_tools: {workers: [a]}}}\n${more}`;
    const plain = { a: 'default: true', b: '' };
    expect(found(plain, settings()).filter((line) => line.includes('cycle'))).toEqual([
      "error cycle: Circular dependency detected: a -> b -> a. It goes through workers allowed in 'toolsets.a', 'toolsets.b'. Remove one of these edges, or mark each of them. With 'recursive: true' under 'delegations.<caller>.<callee>' in callboard.yaml the cycle ends at the depth limit.",
    ]);
    const marked = settings('delegations: {a: {b: {recursive: true}}, b: {a: {recursive: true}}}');
    expect(found(plain, marked)).toEqual([
      'warning recursive-cycle: a -> b -> a is a cycle of recursive delegations: it ends at the depth limit here, and fast-agent refuses it.',
    ]);
    const half = { a: 'agents: [b]\ndefault: true', b: '' };
    expect(found(half, 'toolsets: {b: {delegation: {allow_workers: ["*"]}}}')[0]).toMatch(
      /^error cycle: .*toolsets\.b/,
    );
    const itself = 'toolsets: {a: {delegation: {allow_workers: [a]}}}';
    expect(found(plain, itself)[0]).toMatch(/^error cycle: .*delegates to itself/);
    expect(
      found(plain, 'toolsets: {a: {delegation: {allow_workers: ["*"]}}}').filter((l) => l.includes('cycle')),
    ).toEqual([]);
  });

  it('a cycle that shares marked delegations with an allowed one is found all the same', () => {
    const three = { a: 'agents: [b, c]', b: 'agents: [a]', c: 'agents: [b]' };
    const settings = 'delegations: {a: {b: {recursive: true}}, b: {a: {recursive: true}}}';
    const lines = found(three, settings);
    expect(lines.filter((line) => line.startsWith('error cycle'))).not.toEqual([]);
  });
});

describe('options that cannot do what they say', () => {
  const cards = { lead: 'agents: [kid]', kid: 'agents: [pal]', pal: '' };

  it.each([
    ['input_schema: {type: string}', "error delegation-schema: 'input_schema' must have 'type: object'."],
    [
      'input_schema: {type: object, required: [q]}',
      "error delegation-schema: 'input_schema' requires 'q', which 'properties' does not define.",
    ],
    [
      'input_schema: {type: object, properties: {op: {enum: [filter], type: strnig}}}',
      "error delegation-schema: 'input_schema' cannot be used: 'properties.op.type' must be one of string, number, integer, boolean, object, array or null, or a list of them, not the string 'strnig'. Correct it.",
    ],
    [
      'output_schema: {type: 7}',
      "error delegation-schema: 'output_schema' cannot be used: 'type' must be one of string, number, integer, boolean, object, array or null, or a list of them, not the number 7. Correct it.",
    ],
    [
      'input_mode: schema',
      "warning schema-missing: Input mode 'schema', but neither the delegation nor 'kid' has a schema: it is called by text_json. Add 'input_schema'.",
    ],
    ['input_mode: wrong', 'error settings-invalid'],
    [
      'state: {down: all}',
      "error settings-invalid: 'delegations.lead.kid.state.down' is the string 'all': use filtered, none or {keys: [name, …]}. Correct it.",
    ],
    [
      'forward_events: {types: [foo]}',
      "error settings-invalid: 'delegations.lead.kid.forward_events' is a mapping: use true, false or {types: [name, …], incremental: true or false}; types are model, tool, hook, state, artifact, log, delta. Correct it.",
    ],
    [
      'isolation: pool',
      "error settings-invalid: 'delegations.lead.kid.isolation' is the string 'pool': use clone, shared or {pool: 4}, a whole number from 1 to 1000. Correct it.",
    ],
    [
      'history: last',
      "error settings-invalid: 'delegations.lead.kid.history' is the string 'last': use none, full or {last: 4}, a whole number from 0. Correct it.",
    ],
    ['history: {last: -1}', 'error settings-invalid'],
    ['nonsense: 1', 'error settings-invalid'],
  ])('%s', (option, expected) => {
    const [first = ''] = found(cards, `delegations: {lead: {kid: {${option}}}}`);
    expect(first.startsWith(expected)).toBe(true);
  });

  it('a schema that cannot be used is an error where its fault is written', () => {
    const settings = `delegations:
  lead:
    kid:
      output_schema:
        type: object
        properties:
          op: {enum: []}`;
    const [issue] = readFolder(folderOf(cards, settings)).issues.filter(({ code }) => code === 'delegation-schema');
    expect(issue).toMatchObject({ file: 'callboard.yaml', line: 8, column: 16, agent: 'lead' });
  });

  it('skip_summarization does nothing in an agent that must answer by a schema', () => {
    const settings =
      'delegations: {lead: {kid: {output_schema: {type: object}}}, kid: {pal: {skip_summarization: true}}}';
    expect(found(cards, settings)).toEqual([
      "warning skip-ignored: 'kid' must answer by an output_schema itself, so 'skip_summarization' does nothing here. Remove one of them.",
    ]);
  });

  it('every option is accepted as the documentation has it, and kept', () => {
    const settings = `delegations:
  lead:
    kid:
      tool_name: ask_kid
      description: Ask the kid.
      input_mode: schema
      input_schema: {type: object, properties: {q: {type: string, description: The question}}, required: [q]}
      output_schema: {anyOf: [{type: object}, {enum: [none]}]}
      skip_summarization: true
      failure_mode: propagate
      timeout_ms: 30000
      max_attempts: 2
      max_depth: 3
      recursive: false
      cache: true
      model: openai.gpt-5-mini
      history: {last: 4}
      state: {down: {keys: [a]}, isolate: false, write_keys: [a], on_conflict: reject, conflict_exempt: [b]}
      artifacts: {forward: true, write_prefixes: [team/]}
      forward_events: {types: [tool, delta], incremental: false}
      attachments: {max: 3, max_bytes: 1000, allow: [.pdf], deny: [.exe]}
      inherit_run_hooks: false
delegation_defaults:
  history: none
  forward_events: false
  state: {down: none}`;
    expect(found(cards, settings)).toEqual([]);
    const { delegations, delegation_defaults } = readFolder(folderOf(cards, settings)).settings;
    expect(delegations.lead?.kid).toEqual({
      tool_name: 'ask_kid',
      description: 'Ask the kid.',
      input_mode: 'schema',
      input_schema: {
        type: 'object',
        properties: { q: { type: 'string', description: 'The question' } },
        required: ['q'],
      },
      output_schema: { anyOf: [{ type: 'object' }, { enum: ['none'] }] },
      skip_summarization: true,
      failure_mode: 'propagate',
      timeout_ms: 30_000,
      max_attempts: 2,
      max_depth: 3,
      recursive: false,
      cache: true,
      model: 'openai.gpt-5-mini',
      history: { last: 4 },
      state: {
        down: { keys: ['a'] },
        isolate: false,
        write_keys: ['a'],
        on_conflict: 'reject',
        conflict_exempt: ['b'],
      },
      artifacts: { forward: true, write_prefixes: ['team/'] },
      forward_events: { types: ['tool', 'delta'], incremental: false },
      attachments: { max: 3, max_bytes: 1000, allow: ['.pdf'], deny: ['.exe'] },
      inherit_run_hooks: false,
    });
    expect(delegation_defaults).toEqual({ history: 'none', forward_events: false, state: { down: 'none' } });
  });
});
