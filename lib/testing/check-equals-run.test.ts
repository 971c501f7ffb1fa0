// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is what a person writes
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Issue } from '@/lib/base/issue';
import { err, ok } from '@/lib/base/result';
import { agentView } from '@/lib/cards/agent-view';
import type { AgentCard } from '@/lib/cards/card';
import { unservedModels } from '@/lib/cards/check/check-models';
import { decodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { endpointOf } from '@/lib/cards/models/endpoint';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { planHooks } from '@/lib/runtime/hook-layers/hook-plan';
import { cardsToLoad } from '@/lib/runtime/run/load-code';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { problems } from '@/lib/server/gate';
import { readingJobs } from '@/lib/server/reading/reading-jobs';
import { tries } from '@/lib/testing/tries';
import { runGraph } from './run-graph';
import { scriptedModel } from './scripted-model';

/**
 * One thing decides what a folder is: the check has an error ⇔ publishing is refused ⇔ a run does not begin. An error of an agent that
 * the entry does not reach stops the runs that begin at that agent. That an agent has no model is a warning: a run may name one.
 */

type Files = Map<string, string | Uint8Array>;

const utf8 = (text: string) => new TextEncoder().encode(text);
const encodings: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
  utf16: (text) => Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0), 0])]),
  latin1: (text) => Uint8Array.from([...utf8(text), 0xe9]),
  nul: (text) => `${text}\0`,
  large: (text) => text + 'x'.repeat(1_000_001),
  empty: () => new Uint8Array(),
};

const card = (name: string, fields = '', text = 'Work.') => `---\nname: ${name}\n${fields}---\n${text}\n`;
const code =
  'export function add(args: { a: number }) { return args.a; }\nexport const guard = (ctx, args, next) => next(args);\n';

function soundFiles(): Files {
  return new Map<string, string>([
    [
      'agent-cards/lead.md',
      card('lead', 'default: true\nmodel: passthrough\nagents: [kid, far, flow]\nfunction_tools: [../tools.ts:add]\n'),
    ],
    ['agent-cards/kid.md', card('kid', 'tool_hooks: [../tools.ts:guard]\n')],
    ['agent-cards/far.md', '---\ntype: a2a\nname: far\nurl: https://far.example/\n---\n'],
    ['agent-cards/flow.md', '---\ntype: chain\nname: flow\nsequence: [step]\n---\n'],
    ['agent-cards/step.md', card('step')],
    ['agent-cards/alone.md', card('alone', 'model: passthrough\n')],
    ['tools.ts', `import { one } from './shared';\n${code}one();\n`],
    ['shared.ts', 'export const one = () => 1;\n'],
    ['fast-agent.yaml', 'default_model: passthrough\n'],
    ['callboard.yaml', 'version: 1\n'],
    ['fast-agent.secrets.yaml', 'openai: {api_key: sk-hush-hush}\n'],
    ['README.md', '# Notes\n'],
  ]);
}

type Fault = (files: Files) => void;
const textOf = (files: Files, path: string) => String(files.get(path) ?? '');
const put =
  (path: string, text: string): Fault =>
  (files) =>
    void files.set(path, text);
const change =
  (path: string, from: string | RegExp, to: string): Fault =>
  (files) =>
    void files.set(path, textOf(files, path).replace(from, to));
const cards = ['lead', 'kid', 'far', 'flow', 'step', 'alone'].map((name) => `agent-cards/${name}.md`);
const configs = ['fast-agent.yaml', 'callboard.yaml', 'fast-agent.secrets.yaml'];
const anyFile = fc.constantFrom(...cards, ...configs, 'tools.ts', 'shared.ts', 'README.md');

const faults: fc.Arbitrary<Fault> = fc.oneof(
  fc.tuple(anyFile, fc.constantFrom(...Object.keys(encodings))).map(
    ([path, encoding]): Fault =>
      (files) =>
        void files.set(path, encodings[encoding]?.(textOf(files, path)) ?? ''),
  ),
  anyFile.map(
    (path): Fault =>
      (files) =>
        void files.delete(path),
  ),
  fc.constantFrom(...cards).map((path) => change(path, 'name: ', 'name: [')),
  fc.constantFrom(...configs).map((path) => put(path, 'version: "1\n')),
  fc.constantFrom(...configs).map((path) => put(path, '- a\n- list\n')),
  fc.constantFrom(...cards, ...configs).map((path) => put(path, '')),
  fc
    .tuple(fc.constantFrom(...cards), fc.constantFrom('lead', 'kid', 'Kid', 'step', 'constructor', '"1"', '', 'a/b'))
    .map(([path, name]) => change(path, /name: .*/, `name: ${name}`)),
  fc
    .tuple(
      fc.constantFrom('agents: [kid', 'sequence: [step'),
      fc.constantFrom(', gone', ', Kid', ', lead', ', kid', ', flow'),
    )
    .map(
      ([field, more]): Fault =>
        (files) => {
          for (const path of cards) if (typeof files.get(path) === 'string') change(path, field, field + more)(files);
        },
    ),
  fc
    .tuple(
      fc.constantFrom(...cards),
      fc.constantFrom('passthrough', 'nobody.knows', 'gpt-5-mini', 'hf.any', '"x y?z=1"', '"${NAME}"'),
    )
    .map(([path, model]) => change(path, /(?:model: .*\n)?---\n(?!name|type)/, `model: ${model}\n---\n`)),
  fc
    .constantFrom('nope', 'hf://x/y', '"https://u:p@far.example/"', '"${FAR}"', '')
    .map((url) => change('agent-cards/far.md', /url: .*/, `url: ${url}`)),
  fc
    .constantFrom(
      '{{url:hf://x/y}}',
      '{{url:https://u:p@x.example/}}',
      '{{url:https://x.example/}}',
      '{{file:gone.md}}',
      '{{gone}}',
    )
    .chain((text) =>
      fc
        .constantFrom('agent-cards/lead.md', 'agent-cards/kid.md', 'agent-cards/alone.md')
        .map((path) => change(path, 'Work.', text)),
    ),
  fc
    .tuple(
      fc.constantFrom('tools.ts', 'shared.ts'),
      fc.constantFrom(
        'let x = ;',
        '`',
        'return 1;',
        "import './gone';",
        "import fs from 'fs'; fs();",
        "import type { X } from 'fs';",
        '/(/;',
        'with (a) {}',
      ),
    )
    .map(
      ([path, more]): Fault =>
        (files) =>
          void files.set(path, `${textOf(files, path)}${more}\n`),
    ),
  fc
    .constantFrom(
      'default: true\n',
      'tool_only: true\n',
      'modle: x\n',
      'servers: [gone]\n',
      'messages: gone.json\n',
      'function_tools: [gone.ts:f]\n',
      'type: smart\n',
      'type: gone\n',
    )
    .chain((line) => fc.constantFrom(...cards).map((path) => change(path, /^---\n/, `---\n${line}`))),
  fc
    .constantFrom(
      'entry: kid',
      'entry: gone',
      'limits: {max_depth: no}',
      'run_hooks: ["tools.ts:guard"]',
      'run_hooks: ["gone.ts:guard"]',
      'scripts: {lead: [{turns: [{text: Hi}]}]}',
      'scripts: {kid: [{turns: [{text: Hi}]}]}',
      'delegations: {lead: {kid: {model: nobody.knows}}}',
      'unknown: 1',
    )
    .map(
      (line): Fault =>
        (files) =>
          void files.set('callboard.yaml', `${textOf(files, 'callboard.yaml')}${line}\n`),
    ),
  fc
    .constantFrom('fastagent.config.yaml', '.fast-agent/fast-agent.yaml', 'x/fast-agent.yaml')
    .map((path) => put(path, 'default_model: passthrough\n')),
  fc
    .constantFrom(
      'default_model: nobody.knows\n',
      'default_model: 5\n',
      'mcp: {servers: {a: {}}}\n',
      'mcp: {servers: {a: {url: nope}}}\n',
    )
    .map((text) => put('fast-agent.yaml', text)),
);

const here = { variables: {}, projectEnv: {}, hasValues: true };

function folderOfFiles(files: Files): Folder {
  return new Map(
    [...files].map(([path, content]) => {
      if (typeof content === 'string') return [path, { kind: 'text', text: content }] as const;
      return [
        path,
        content.length === 0 ? ({ kind: 'binary', bytes: content } as const) : decodeFile(content),
      ] as const;
    }),
  );
}

/** The errors of the check, as the command line, the API and the check before publishing say them. */
function checked(folder: Folder): { readonly errors: readonly string[]; readonly needsModel: boolean } {
  const { issues, models } = readingJobs.check(folder, { file() {}, together() {} });
  const found = [...issues, ...unservedModels(models, here)];
  const errors = found
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);
  expect(problems({ issues: found }).ok).toBe(errors.length === 0);
  return { errors, needsModel: found.some((issue) => issue.code === 'model-missing') };
}

/** Returns why a run does not begin; `undefined` if it asks a model or a remote agent. */
async function refusalOf(folder: Folder, agent: string | undefined, named?: string): Promise<string | undefined> {
  const parsed = readFolder(folder);
  const { providers } = withSecrets(parsed, folder).config;
  const hosts = createCodeHosts({ folder, python: { enabled: false, interpreter: '', searchPath: '' } });
  // Time is virtual during the run, so what needs real time is done before it.
  const loaded = new Map<string, readonly Issue[]>();
  const hooks = planHooks(parsed.settings, undefined);
  for (const card of parsed.cards.flatMap((one) => cardsToLoad(hooks, agentView(one)))) {
    loaded.set(keyOf(card), await hosts.parse(card));
  }
  const answers = Object.fromEntries(parsed.cards.map(({ name }) => [name, ['done']]));
  const model = {
    ...scriptedModel(answers),
    problemOf(text: string) {
      const endpoint = text === 'script' ? ok(undefined) : endpointOf(text, providers, here);
      return endpoint.ok ? undefined : { code: 'model_not_served', message: endpoint.error };
    },
  };
  let remoteCalls = 0;
  const { outcome } = await runGraph({
    parsed,
    folder,
    model,
    // Code is parsed and never run: it would take real time.
    hooks: {
      ...hosts.hooks,
      load: async (card) => loaded.get(keyOf(card)) ?? [],
      around: async (_hook, _context, args, next) => ({ ok: true, result: await next(args) }),
    },
    urls: { read: async () => ok('A text.') },
    remote: {
      async send() {
        remoteCalls += 1;
        return err({ code: 'a2a_unreachable', message: 'Nobody is there.' });
      },
    },
    request: { agent, model: named },
  });
  await hosts.close();
  return model.requests.length + remoteCalls > 0 ? undefined : (outcome.error?.message ?? outcome.status);
}

function keyOf({ name, functionTools, toolHooks }: AgentCard): string {
  return JSON.stringify([name, functionTools, toolHooks]);
}

/** The files that differ from sound ones, for the message of a failure. */
function changed(files: Files): Record<string, string> {
  const sound = soundFiles();
  const paths = [...new Set([...files.keys(), ...sound.keys()])].filter((path) => files.get(path) !== sound.get(path));
  return Object.fromEntries(paths.map((path) => [path, String(files.get(path)).slice(0, 300)]));
}

test('the check has an error ⇔ publishing is refused ⇔ a run does not begin', async () => {
  const all = 500;
  const counts = { sound: 0, refused: 0, elsewhere: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(faults, { maxLength: 3 }), async (some) => {
      const files = soundFiles();
      for (const fault of some) fault(files);
      const folder = folderOfFiles(files);
      const { errors, needsModel } = checked(folder);
      const refusal = await refusalOf(folder, undefined, needsModel ? 'passthrough' : undefined);
      if (errors.length === 0) {
        expect({ refusal, files: changed(files) }).toEqual({ refusal: undefined, files: changed(files) });
        counts.sound += 1;
      } else if (refusal !== undefined) counts.refused += 1;
      else {
        const { cards: read, unread } = readFolder(folder);
        const names = new Set([...read.map(({ name }) => name), ...[...unread.values()].map(({ name }) => name)]);
        const refusals = await Promise.all([...names].map((name) => refusalOf(folder, name)));
        const isRefused = refusals.some((one) => one !== undefined);
        expect({ isRefused, errors, files: changed(files) }).toMatchObject({ isRefused: true });
        counts.elsewhere += 1;
      }
    }),
    { numRuns: tries(all) },
  );
  // Three of a hundred folders have an error elsewhere, so a quarter of them may have none.
  if (tries(all) === all) for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
}, 120_000);
