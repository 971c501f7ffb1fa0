// Writes docs/requirements.md: the tests of each requirement. `--check` only tells whether the file is up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const tableFile = join(root, 'docs', 'requirements.md');
const titled = /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:(?!\1).)*)\1/gs;
const kinds = ['R', 'C', 'P', 'E', 'AS', 'F', 'S'];
const id = /\b(?:(?:AS|[RPCEF])-\d+[a-z]?|S\d{1,2})\b/g;

/** Kinds of attack that succeeded on comparable products, and what Callboard does about each. */
export const attacks = {
  S1: 'Reading, saving, checking, copying and exporting a folder run none of its code',
  S2: 'A reference to code names a function of a file of the folder, and nothing else',
  S3: 'A command of an MCP server is a program with arguments, never a line for a shell, and starts only when it was confirmed',
  S4: 'Loopback is not trusted: every address decides who may use it, by host, origin and sign-in',
  S5: 'A new installation is closed: it listens on loopback and needs its token',
  S6: 'A request for a run brings inputs, never a definition of what runs',
  S7: 'Fields hold no expressions: a placeholder is a declared name, and its value is text',
  S8: 'A body is what its type says, and the server chooses where its bytes go',
  S9: 'Each id in a request is decided on, and a credential goes to its own hosts only',
  S10: 'One guard checks every outgoing address after it is resolved, also after a redirect',
  S11: 'No other site reads an answer or sends a change with the cookie of a browser',
  S12: 'Empty tokens, repeated keys, NUL and owners in a body gain nothing',
  S13: 'Approvals and events are written by the server; imported ones are only shown',
  S14: 'A secret is in no event, log, export, comparison, error or dump',
  S15: 'A request that passes by the proxy of the framework is refused all the same',
  S16: 'Directives in prompts are found by the checker and obeyed by nothing',
};

/** Returns a map from ids to the tests whose titles name them, sorted by kind and number. */
export function heldRequirements() {
  const found = new Map();
  for (const file of testFiles()) {
    for (const [, , title] of readFileSync(join(root, file), 'utf8').matchAll(titled)) {
      for (const [name] of title.matchAll(id)) {
        const rows = found.get(name) ?? [];
        rows.push({ file, title: title.replaceAll('|', '\\|') });
        found.set(name, rows);
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => order(a) - order(b)));
}

export function renderTable() {
  const held = heldRequirements();
  const rows = [...held].flatMap(([name, tests]) =>
    tests.map(({ file, title }, index) => `| ${index === 0 ? name : ''} | ${title} | \`${file}\` |`),
  );
  const kindsOfAttack = Object.entries(attacks).map(
    ([name, rule]) => `| ${name} | ${rule} | ${held.get(name)?.length ?? 0} |`,
  );
  return `# Requirements and their tests

R-… are rows of behaviour that delegation must have, C-… the choices where systems contradict each other, P-… defects
of comparable systems that must not come back, E-… what people in the loop need, AS-… the
protocol of agents as tools, F-… what teams need, S… attacks that succeeded on comparable products. The rows are told by the titles;
docs/delegation.md, docs/sessions.md, docs/workers.md and docs/approvals.md describe the behaviour, and docs/checklists.md has the rows
LD-… and ADK-…. Made by
\`node bin/requirements.mjs\`; a test keeps it true.

## Attacks

[Security](security.md) describes what stops them.

| Id | Rule | Tests |
| --- | --- | --- |
${kindsOfAttack.join('\n')}

## Tests

| Id | Test | File |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function order(name) {
  const [, kind = '', number = ''] = /^([A-Z]+)-?(.*)$/.exec(name) ?? [];
  return kinds.indexOf(kind) * 100_000 + Number.parseInt(number, 10) * 10;
}

function testFiles() {
  return ['lib', 'components', 'app', 'e2e']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) process.exit(readFileSync(tableFile, 'utf8') === renderTable() ? 0 : 1);
  writeFileSync(tableFile, renderTable());
}
