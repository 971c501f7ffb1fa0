import { card, folderFamily, many, type NastyFamily } from './family';

/** Inputs that are one card, or the config. */
export const nastyCards: readonly NastyFamily[] = [
  folderFamily('model references in a chain', 60_000, (size) => ({
    'fast-agent.yaml': `model_references:\n  s:\n${many(size / 20, (i) => `    k${i}: $s.k${i + 1}\n`)}`,
    'lead.md': card('model: $s.k0'),
  })),
  folderFamily('model references in a circle', 60_000, (size) => {
    const count = Math.ceil(size / 20);
    return {
      'fast-agent.yaml': `model_references:\n  s:\n${many(count, (i) => `    k${i}: $s.k${(i + 1) % count}\n`)}`,
      'lead.md': card('model: $s.k0'),
    };
  }),
  folderFamily('cards at the end of a chain of models', 60_000, (size) => ({
    'fast-agent.yaml': `model_references:\n  s:\n${many(size / 40, (i) => `    k${i}: $s.k${i + 1}\n`)}    k${Math.ceil(size / 40)}: gpt\n`,
    ...Object.fromEntries(Array.from({ length: Math.ceil(size / 80) }, (_, i) => [`a${i}.md`, card('model: $s.k0')])),
  })),
  folderFamily('references out of a schema', 40_000, (size) =>
    withSchema(`${many(size / 30, (i) => `    p${i}: { $ref: 'o#/${i}' }\n`)}    last: { $id: x }\n`),
  ),
  folderFamily('references inside a schema', 40_000, (size) =>
    withSchema(many(size / 40, (i) => `    p${i}: { $ref: '#/properties/p${i + 1}' }\n`)),
  ),
  folderFamily('patterns with open brackets', 100_000, (size) =>
    withSchema(`    p: { pattern: '${'['.repeat(size / 2)}${'(?i'.repeat(size / 6)}' }\n`),
  ),
  folderFamily('a pattern of groups', 40_000, (size) =>
    withSchema(`    p: { pattern: '${'('.repeat(size / 2)}${')'.repeat(size / 2)}' }\n`),
  ),
  folderFamily('names of signs', 200_000, (size) => ({
    'lead.md': card(`agents: ['a${'# '.repeat(size / 4)}b', '${' #'.repeat(size / 4)}']`),
  })),
  folderFamily('open file placeholders', 200_000, (size) => ({
    'lead.md': card('name: lead', '{{file:'.repeat(size / 7)),
  })),
  folderFamily('file placeholders', 200_000, (size) => ({
    'lead.md': card(
      'name: lead',
      many(size / 14, (i) => `{{file:a${i}}} `),
    ),
  })),
  folderFamily('spaces before history marks', 100_000, (size) => ({
    'lead.md': card('name: lead', `${'   \n'.repeat(size / 8)}${' '.repeat(size / 2)}---USERS`),
  })),
  folderFamily('slashes at the end of a URL', 100_000, (size) => ({
    'lead.md': card(
      `mcp_connect: { a: { target: 'http://h/${'/'.repeat(size)}x' } }\nskills: ['${'/'.repeat(size / 4)}x']`,
    ),
  })),
  folderFamily('signs in a command', 100_000, (size) => ({
    'lead.md': card(`mcp_connect: [{ target: '"${'@'.repeat(size)}\\n"' }]`),
  })),
  folderFamily('children below many fields', 100_000, (size) => ({
    'lead.md': card(`${many(size / 24, (i) => `x${i}: 1\n`)}agents:\n${many(size / 16, (i) => `  - c${i}\n`)}`),
  })),
  folderFamily('servers that nobody knows', 60_000, (size) => ({
    'lead.md': card(
      `servers: [${many(size / 20, (i) => `s${i}, `)}]\nmcp_connect:\n${many(size / 40, (i) => `  m${i}: { target: npx a }\n`)}`,
    ),
  })),
  folderFamily('filters of many servers', 60_000, (size) => ({
    'lead.md': card(
      `servers: [${many(size / 20, (i) => `s${i}, `)}]\ntools:\n${many(size / 24, (i) => `  s${i}: [a]\n`)}`,
    ),
  })),
  folderFamily('function tools', 60_000, (size) => ({
    'lead.md': card(`function_tools:\n${many(size / 14, (i) => `  - a.py:f${i}\n`)}`),
    'a.py': 'x = 1\n',
  })),
  folderFamily('directories of skills', 60_000, (size) => ({
    'lead.md': card(`skills:\n${many(size / 30, (i) => `  - s${i}\n`)}`),
    ...Object.fromEntries(
      Array.from({ length: Math.ceil(size / 120) }, (_, i) => [`s${i}/SKILL.md`, card(`name: s${i}`)]),
    ),
  })),
  folderFamily('bytes that look like a card', 200_000, (size) => ({
    'lead.md': `${' '.repeat(size / 4)}\n${'-'.repeat(size / 4)}\n${'--- \t x\n'.repeat(size / 16)}`,
  })),
];

function withSchema(properties: string): Record<string, string> {
  return { 'lead.md': card(`tool_input_schema:\n  type: object\n  properties:\n${properties}`) };
}
