// Writes docs/requirements.md: the tests of each requirement. `--check` only tells whether the file is up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const tableFile = join(root, 'docs', 'requirements.md');
const titled = /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:(?!\1).)*)\1/gs;
const kinds = ['R', 'C', 'P', 'E', 'AS', 'F'];
const id = /\b(?:AS|[RPCEF])-\d+[a-z]?\b/g;

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
  const rows = [...heldRequirements()].flatMap(([name, tests]) =>
    tests.map(({ file, title }, index) => `| ${index === 0 ? name : ''} | ${title} | \`${file}\` |`),
  );
  return `# Requirements and their tests

R-… are rows of behaviour that delegation must have, C-… the choices where systems contradict each other, P-… defects
of comparable systems that must not come back, E-… what people in the loop need, AS-… the
protocol of agents as tools, F-… what teams need. The rows are told by the titles;
docs/delegation.md, docs/sessions.md, docs/workers.md and docs/approvals.md describe the behaviour, and docs/checklists.md has the rows
LD-… and ADK-…. Made by
\`node bin/requirements.mjs\`; a test keeps it true.

| Id | Test | File |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function order(name) {
  const [kind = '', number = ''] = name.split('-');
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
