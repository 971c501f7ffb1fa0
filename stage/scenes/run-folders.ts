import { auditedKid } from '@/e2e/audited-kid';
import type { RunInput } from '@/stage/memory/record-run';

/** The folders of the runs that the stage shows. Their scripts answer in place of models. */

/** The code of the folders: nothing on the stage loads it. */
export const kidCode = {
  functions: {
    addOne: ({ x }) => String(Number(x) + 1),
    note(args, { log }) {
      log({ level: 'warning', code: 'console', message: String(args.text) });
      return String(args.text);
    },
  },
  hooks: {
    audit: { around: (_, args, next) => next({ ...args, x: Math.min(Number(args.x), 10) }) },
  },
} satisfies Pick<RunInput, 'functions' | 'hooks'>;

type Files = Readonly<Record<string, string>>;

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

const spare = Array.from({ length: 14 }, (_, n) => `spare-${n + 1}`);

const office = (fields = ''): Files => ({
  'agent-cards/lead.md': card('lead', `default: true\nagents: [kid]\n${fields}`),
  'agent-cards/kid.md': card('kid'),
});

const call = (text: string) => `            - { tool: agent__kid, arguments: { text: ${text} } }`;

/** `lead` calls children at once. The ninth is the slowest, and the third is told of a lighthouse. */
export const fanOut = (count: number): Files => ({
  ...office(count > 64 ? 'max_parallel: 64\n' : ''),
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
${Array.from({ length: count }, (_, n) => call(n === 8 ? 'slowly' : n === 2 ? 'the lighthouse' : `part ${n + 1}`)).join('\n')}
        - text: All done.
  kid:
    - when_input_contains: slowly
      turns:
        - { text: Slow work., delay_ms: 900 }
    - turns:
        - { text: Quick work., delay_ms: 100 }
`,
});

/** A project of sixteen agents, of which a run uses two. */
export const largeProject: Files = {
  'agent-cards/lead.md': card('lead', `default: true\nagents: [kid, ${spare.join(', ')}]\n`),
  ...Object.fromEntries(['kid', ...spare].map((name) => [`agent-cards/${name}.md`, card(name)])),
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
${call('part 1')}
        - text: All done.
  kid:
    - turns:
        - { text: Quick work., delay_ms: 100 }
`,
};

const workers = Array.from({ length: 30 }, (_, n) => `worker-${n + 1}`);

/** `lead` calls thirty agents at once. */
export const manyAgents: Files = {
  'agent-cards/lead.md': card('lead', `default: true\nagents: [${workers.join(', ')}]\n`),
  ...Object.fromEntries(workers.map((name) => [`agent-cards/${name}.md`, card(name)])),
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
${workers.map((name) => `            - { tool: agent__${name}, arguments: { text: Begin } }`).join('\n')}
        - text: All done.
${workers.map((name) => `  ${name}:\n    - turns: [{ text: Quick work., delay_ms: 100 }]`).join('\n')}
`,
};

/** Six children run two at a time, and the last of them takes much longer than the others. */
const times = [100, 120, 110, 100, 120, 900];
export const queueing: Files = {
  ...office('max_parallel: 2\n'),
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
${times.map((_, i) => call(`take ${i}`)).join('\n')}
        - text: All done.
  kid:
${times.map((ms, i) => `    - when_input_contains: take ${i}\n      turns:\n        - { text: Done., delay_ms: ${ms} }`).join('\n')}
`,
};

/** Three children at once. One is tried twice, because it takes too long. A hook lowers what another asks for. */
export const audited = (timeoutMs: number, slowMs: number): Files => ({
  ...auditedKid,
  'callboard.yaml': `version: 1
entry: lead
delegations:
  lead:
    kid: { timeout_ms: ${timeoutMs}, max_attempts: 2 }
scripts:
  lead:
    - turns:
        - calls:
${['count', 'quick', 'late'].map(call).join('\n')}
        - { text: All done., delay_ms: ${slowMs} }
  kid:
    - when_input_contains: count
      turns:
        - calls:
            - { tool: addOne, arguments: { x: 99 } }
          delay_ms: ${timeoutMs / 4}
        - { text: Eleven., delay_ms: ${timeoutMs / 8} }
    - when_input_contains: late
      turns:
        - { text: Too late., delay_ms: 60000 }
    - turns:
        - { text: Done., delay_ms: ${timeoutMs / 2} }
`,
});

/** Three children run at once, one of them writes to the log, and then the same child runs once more. */
export const stateAndLoop: Files = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid', 'function_tools: [../tools.ts:note]\n'),
  'tools.ts': 'export const note = (args: { text: string }) => args.text;\n',
  'callboard.yaml': `version: 1
entry: lead
runtime_tools:
  state: true
scripts:
  lead:
    - turns:
        - calls:
            - tool: set_state
              arguments: { key: plan, value: three at once }
${['one', 'two', 'three'].map(call).join('\n')}
        - calls:
${call('once more')}
        - text: All done.
  kid:
    - turns:
        - calls:
            - { tool: note, arguments: { text: kid was here } }
          delay_ms: 300
        - { text: Done., delay_ms: 300 }
`,
};

/** An agent is made during a run that asks for a poet. */
export const makesPoet: Files = {
  ...office(),
  'callboard.yaml': `version: 1
entry: lead
toolsets:
  lead:
    delegation: { allow_workers: [], create: allowed }
scripts:
  lead:
    - when_input_contains: poet
      turns:
        - calls:
            - tool: worker_create
              arguments: { name: poet, instructions: Write a line. }
        - calls:
            - { tool: agent__poet, arguments: { text: spring } }
        - text: "{{result}}"
    - turns:
        - calls:
${call('spring')}
        - text: "{{result}}"
  poet:
    - turns:
        - text: Green again.
  kid:
    - turns:
        - text: It is warm.
`,
};

/** A graph that is wider than its panel on a phone. */
export const wideGraph: Files = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [middle]\n'),
  'agent-cards/middle.md': card('middle', 'agents: [leaf]\n'),
  'agent-cards/leaf.md': card('leaf', 'servers: [time]\n'),
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: {command: node, args: [nothing.mjs]}\n',
  'callboard.yaml': 'version: 1\nentry: lead\nscripts:\n  lead:\n    - turns:\n        - text: Nothing to do.\n',
};

/** The only agent has no script, so that the run fails. */
export const failing: Files = {
  'agent-cards/lead.md': card('lead', 'default: true\n'),
  'callboard.yaml': 'version: 1\nentry: lead\nscripts:\n  other:\n    - turns: [{ text: Never. }]\n',
};
